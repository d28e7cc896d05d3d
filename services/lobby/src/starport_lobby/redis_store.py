"""The lobby's store on Redis or Valkey, alone or as a cluster: one hash tag for every key, so scripts may mix them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from typing import Any, TypeVar

import structlog
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError

from starport_chassis.refusals import Refused, unavailable
from starport_lobby.keys import KeyHash
from starport_lobby.settings import (
    MINE_STARTED_MAX,
    STARTED_LISTED_MAX,
    STORE_CONNECT_S,
    STORE_CONNECTIONS_MAX,
    STORE_WAIT_S,
    SWEEP_MAX,
)
from starport_lobby.store import (
    Added,
    Change,
    Label,
    Limits,
    PlayerRecord,
    Shelf,
    Stored,
    Written,
    kind_prefix,
    label_of,
    read_label,
    shelf_of,
)
from starport_lobby.table import from_json, to_json

log = structlog.get_logger("lobby")

CLUSTER_SCHEME = "redis+cluster://"
REPEATS_MAX = 1  # an idle connection may have died unnoticed; every call here can be repeated
KEYS_OF_TOKENS = "{starport}:token-keys"
OPEN = "{lobby}:open"
STARTED = "{lobby}:started"
ENDS = "{lobby}:ends"
WAITING = "{lobby}:waiting"
STARTING = "{lobby}:starting"
PLAYERS = "{lobby}:players"

T = TypeVar("T")
Client = Redis | RedisCluster


def open_client(url: str) -> Client:
    options: dict[str, Any] = {
        "protocol": 2,
        "socket_timeout": STORE_WAIT_S,
        "socket_connect_timeout": STORE_CONNECT_S,
        "retry": Retry(NoBackoff(), REPEATS_MAX),
    }
    if url.startswith(CLUSTER_SCHEME):
        address = "redis://" + url.removeprefix(CLUSTER_SCHEME)
        return RedisCluster.from_url(address, max_connections=STORE_CONNECTIONS_MAX, **options)
    pool = BlockingConnectionPool.from_url(url, max_connections=STORE_CONNECTIONS_MAX, timeout=STORE_WAIT_S, **options)
    return Redis.from_pool(pool)


class Script:
    """A script of this package."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._text = files(__package__).joinpath(f"{name}.lua").read_text(encoding="utf-8")
        self._digest = ""

    async def __call__(self, keys: Sequence[str], *arguments: str | bytes | int) -> Any:
        try:
            if self._digest:
                return await self._client.evalsha(self._digest, len(keys), *keys, *arguments)
        except NoScriptError:
            pass
        self._digest = await self._client.script_load(self._text)
        return await self._client.evalsha(self._digest, len(keys), *keys, *arguments)


class RedisStore:
    """Every wait is bounded, and what goes wrong is told as STORE."""

    def __init__(self, client: Client, limits: Limits) -> None:
        self._client: Any = client  # its replies are published as whatever a command may bring
        self._limits = limits
        self._hold_name = Script(client, "hold_name")
        self._add_player = Script(client, "add_player")
        self._write = Script(client, "write")
        self._push_back = Script(client, "push_back")
        self._room_left = Script(client, "room_left")
        self._stuck = Script(client, "stuck")
        self._heal = Script(client, "heal")

    # -- players

    async def hold_name(self, same: str, owner: str, until_ms: int, now_ms: int) -> bool:
        held = await bounded(lambda: self._hold_name([name_key(same)], owner, until_ms))
        return bool(held)

    async def add_player(self, same: str, player: PlayerRecord, now_ms: int) -> Added:
        said = await bounded(
            lambda: self._add_player(
                [name_key(same), PLAYERS],
                player.id,
                player.name,
                player.key.salt,
                player.key.hash,
                self._limits.players_max,
            )
        )
        return Added[said.decode()]

    async def find_player(self, same: str) -> PlayerRecord | None:
        fields = ("owner", "name", "salt", "hash")
        owner, name, salt, hash = await bounded(lambda: self._client.hmget(name_key(same), fields))
        if owner is None or hash is None:  # nobody's, or a guest's
            return None
        return PlayerRecord(owner.decode(), name.decode(), KeyHash(salt, hash))

    # -- tables

    async def read(self, id: str, now_ms: int) -> Stored | None:
        fields = ("revision", "expires", "body", "options")
        return stored(await bounded(lambda: self._client.hmget(table_key(id), fields)), now_ms)

    async def read_listed(self, ids: Sequence[str], now_ms: int) -> list[Stored | None]:
        if not ids:
            return []

        async def read_all() -> list[Any]:
            pipeline = self._client.pipeline(transaction=False)
            for id in ids:
                pipeline.hmget(table_key(id), ("revision", "expires", "body"))
            return list(await pipeline.execute())

        return [stored([*found, b""], now_ms) for found in await bounded(read_all)]

    async def write(self, change: Change) -> Written:
        table, limits = change.table, self._limits
        sitting = table.sitting
        players = (*sitting, change.left) if change.left else sitting
        keys = [table_key(table.id), OPEN, STARTED, ENDS, WAITING, STARTING]
        for player in players:
            keys += [mine_key(player, Shelf.OPEN), mine_key(player, Shelf.STARTED)]
        said = await bounded(
            lambda: self._write(
                keys,
                change.revision,
                change.now_ms,
                str(label_of(table)),
                "gone" if change.gone else table.status.value,
                int(change.waits),
                table.created_ms,
                change.expires_ms,
                to_json(table),
                change.options,
                limits.tables_max,
                limits.tables_per_player_max,
                sitting.index(change.joined) + 1 if change.joined else 0,
                kind_prefix(table.game, table.players) if change.only_of_its_kind else "",
                len(sitting),
                SWEEP_MAX,
                STARTED_LISTED_MAX,
                MINE_STARTED_MAX,
            )
        )
        return Written[said.decode()]

    async def push_back(self, stored: Stored, expires_ms: int) -> None:
        table = stored.table
        shelf = shelf_of(table)
        mine = [mine_key(player, shelf) for player in table.sitting] if shelf is not None else []
        keys = [table_key(table.id), ENDS, *mine]
        await bounded(lambda: self._push_back(keys, stored.revision, expires_ms, str(label_of(table))))

    async def room_left(self, player: str, now_ms: int) -> Written:
        limits = self._limits
        keys = [ENDS, mine_key(player, Shelf.OPEN)]
        said = await bounded(lambda: self._room_left(keys, now_ms, limits.tables_max, limits.tables_per_player_max))
        return Written[said.decode()]

    async def newest(self, shelf: Shelf, player: str, start: int, count: int, now_ms: int) -> list[Label]:
        if not player:
            index = OPEN if shelf is Shelf.OPEN else STARTED
            found = await bounded(lambda: self._client.zrevrange(index, start, start + count - 1))
            return labels(found)
        # One player's index is small, and ordered by expiry.
        found = await bounded(lambda: self._client.zrangebyscore(mine_key(player, shelf), f"({now_ms}", "+inf"))
        mine = sorted(labels(found), key=lambda label: (label.created_ms, str(label)), reverse=True)
        return mine[start : start + count]

    async def waiting(self, game: str, players: int, count: int) -> list[Label]:
        kind = kind_prefix(game, players)
        return labels(await bounded(lambda: self._client.zrangebylex(WAITING, f"[{kind}", f"({kind}~", 0, count)))

    async def stuck(self, before_ms: int, now_ms: int, count: int) -> list[Label]:
        return labels(await bounded(lambda: self._stuck([STARTING], before_ms, now_ms, count)))

    async def heal(self, label: Label, now_ms: int) -> None:
        keys = [table_key(label.id), OPEN, STARTED, ENDS, WAITING, STARTING]
        await bounded(lambda: self._heal(keys, str(label), now_ms))

    # -- the public keys of lobbies

    async def publish_key(self, kid: str, pem: bytes) -> None:
        await bounded(lambda: self._client.hset(KEYS_OF_TOKENS, kid, pem))

    async def public_key(self, kid: str) -> bytes | None:
        found: bytes | None = await bounded(lambda: self._client.hget(KEYS_OF_TOKENS, kid))
        return found

    async def close(self) -> None:
        await self._client.aclose()


def table_key(id: str) -> str:
    return f"{{lobby}}:table:{id}"


def name_key(same: str) -> str:
    return f"{{lobby}}:name:{same}"


def mine_key(player: str, shelf: Shelf) -> str:
    return f"{{lobby}}:player:{player}:{shelf.value}"


def stored(found: Sequence[bytes | None], now_ms: int) -> Stored | None:
    revision, expires, body, options = found
    if revision is None or expires is None or body is None or int(expires) <= now_ms:
        return None
    return Stored(from_json(body), int(revision), int(expires), options or b"")


def labels(found: Sequence[bytes]) -> list[Label]:
    return [read_label(label.decode()) for label in found]


async def bounded(call: Callable[[], Awaitable[T]]) -> T:
    try:
        async with asyncio.timeout(STORE_WAIT_S):
            return await call()
    except (RedisError, OSError, TimeoutError) as why:
        raise store_down(why) from why


def store_down(why: object) -> Refused:
    log.warning("store down", why=str(why))
    return unavailable("STORE", "the store does not answer; try again")
