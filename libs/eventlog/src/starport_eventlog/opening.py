"""A log by its url."""

from redis.exceptions import RedisError

from starport_eventlog.link import CLUSTER_SCHEME
from starport_eventlog.memory import MemoryLog
from starport_eventlog.redis_log import RedisLog

_SCHEMES = ("redis://", "rediss://", "unix://", CLUSTER_SCHEME)


def open_log(url: str, partitions: int) -> RedisLog | MemoryLog:
    """Connects with the first call. Every `memory://` is a store of its own."""
    if url == "memory://":
        return MemoryLog(partitions)
    if not url.startswith(_SCHEMES):
        raise ValueError(f"store url must begin with memory:// {' '.join(_SCHEMES)}")  # it may hold a password
    try:
        return RedisLog(url, partitions)
    except (ValueError, RedisError) as error:
        raise ValueError(f"bad store url: {error}") from error
