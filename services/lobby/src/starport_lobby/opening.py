"""A store by its url."""

from __future__ import annotations

from redis.exceptions import RedisError

from starport_chassis.settings import CannotStart
from starport_lobby.memory_store import MemoryStore
from starport_lobby.redis_store import CLUSTER_SCHEME, RedisStore, open_client
from starport_lobby.settings import LobbySettings
from starport_lobby.store import Limits, Store

SCHEMES = ("redis://", "rediss://", "unix://", CLUSTER_SCHEME)


def open_store(settings: LobbySettings) -> Store:
    """Connects with the first call. Every `memory://` is a store of its own."""
    limits = Limits(settings.tables_max, settings.tables_per_player_max, settings.players_max)
    url = settings.store_url
    if url == "memory://":
        return MemoryStore(limits)
    if not url.startswith(SCHEMES):
        raise CannotStart(f"STARPORT_STORE_URL must begin with memory:// {' '.join(SCHEMES)}")  # it may hold a password
    try:
        return RedisStore(open_client(url), limits)
    except (ValueError, RedisError) as why:
        raise CannotStart(f"STARPORT_STORE_URL cannot be used: {why}") from None
