"""The way to a Redis server or a Redis Cluster: routing, raw replies, scripts, and errors told as StoreDown."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ClusterDownError, NoScriptError, RedisClusterException, RedisError, ResponseError
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TooSlow

from starport_eventlog.batches import Argument, BatchLine, Command
from starport_eventlog.contract import StoreDown
from starport_eventlog.ids import bus_key, partition_names
from starport_eventlog.limits import CALL_WAIT_S, CONNECT_WAIT_S, CONNECTIONS_MAX

CLUSTER_SCHEME = "redis+cluster://"
REPEAT_TRIES_MAX = 2  # an idle connection may have died unnoticed: the second try has a fresh one

# Replies stay as the server sent them: the library's dictionaries cost more than the command.
_RAW_REPLIES = (
    *("XRANGE", "XREVRANGE", "XREAD", "XREADGROUP", "XPENDING", "XCLAIM", "XGROUP", "XACK", "XTRIM", "XLEN"),
    *("XINFO STREAM", "XINFO GROUPS", "ZRANGEBYSCORE", "ZREM", "EVALSHA"),
)


class Script:
    """A script in this package, known to servers by its digest."""

    def __init__(self, name: str) -> None:
        self.text = files(__package__).joinpath(name).read_text(encoding="utf-8")
        self.digest = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()  # what EVALSHA takes


class Link:
    """One pool of connections. Every call is bounded by CALL_WAIT_S and none is repeated behind the caller's back."""

    def __init__(self, url: str, partitions: int) -> None:
        self._partitions = partition_names(partitions)
        self._server: Redis | None = None
        self._line: BatchLine | None = None
        self._cluster: RedisCluster | None = None
        if url.startswith(CLUSTER_SCHEME):
            self._cluster = RedisCluster.from_url(
                "redis://" + url.removeprefix(CLUSTER_SCHEME), max_connections=CONNECTIONS_MAX, **_connection_options()
            )
        else:
            pool = BlockingConnectionPool.from_url(
                url, max_connections=CONNECTIONS_MAX, timeout=CALL_WAIT_S, **_connection_options()
            )
            self._server = Redis.from_pool(pool)
            self._line = BatchLine(pool)
        for command in _RAW_REPLIES:
            (self._server or self._cluster_client).set_response_callback(command, _as_sent)

    @property
    def lanes(self) -> tuple[tuple[str, ...], ...]:
        """A cluster refuses one read of several slots, so there every partition waits by itself."""
        return (self._partitions,) if self._cluster is None else tuple((name,) for name in self._partitions)

    @property
    def _cluster_client(self) -> RedisCluster:
        if self._cluster is None:
            raise RuntimeError("not a cluster")
        return self._cluster

    async def call(self, partition: str, *command: Argument) -> Any:
        """One command that may be repeated without harm. Raises ResponseError as the server says it."""
        return await _repeated(lambda: self._send(partition, command))

    async def call_once(self, partition: str, *command: Argument) -> Any:
        return await _bounded(lambda: self._send(partition, command))

    async def run(self, partition: str, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """A script that may be repeated without harm."""
        command = ("EVALSHA", script.digest, len(keys), *keys, *arguments)
        try:
            return await self.call(partition, *command)
        except NoScriptError:
            await self.load(script)
            return await self.call(partition, *command)

    async def load(self, script: Script) -> None:
        """On every primary, for any of them may be asked next."""
        client = self._server if self._server is not None else self._cluster_client
        await _repeated(lambda: client.script_load(script.text))

    async def batch(self, commands: Sequence[Command]) -> list[Any]:
        """All in one round trip per server, each sent at most once; an error is the answer of its command."""
        client = self._server if self._server is not None else self._cluster_client

        async def send() -> list[Any]:
            pipeline = client.pipeline(transaction=False)
            for command in commands:
                pipeline.execute_command(*command)
            return list(await pipeline.execute(raise_on_error=False))

        try:
            answers: list[Any] = await _bounded(send)
        except StoreDown:
            await self._look_around()
            raise
        if any(isinstance(answer, Disconnected | TooSlow | ClusterDownError) for answer in answers):
            await self._look_around()
        return answers

    async def next_batch(self, commands: Sequence[Command]) -> list[Any]:
        """Like `batch`, for one caller that never has two under way: on a single server it costs half."""
        line = self._line
        if line is None:
            return await self.batch(commands)
        answers: list[Any] = await _bounded(lambda: line.send(commands))
        return answers

    async def close(self) -> None:
        if self._line is not None:
            await self._line.close()
        if self._server is not None:
            await self._server.aclose(close_connection_pool=True)
        else:
            await self._cluster_client.aclose()

    async def _send(self, partition: str, command: Command) -> Any:
        if self._server is not None:
            return await self._server.execute_command(*command)  # type: ignore[no-untyped-call]
        cluster = self._cluster_client
        await cluster.initialize()
        # Naming the node spares the round trip in which the library asks a server where the keys of a command stand.
        return await cluster.execute_command(*command, target_nodes=cluster.get_node_from_key(bus_key(partition)))

    async def _look_around(self) -> None:
        """A cluster may have a new primary: the next call asks for the slots again."""
        if self._cluster is not None:
            await self._cluster.aclose()


def _connection_options() -> dict[str, Any]:
    return {
        "protocol": 2,
        # The library would wait for sends with asyncio.wait_for, which in Python 3.11 may swallow a cancellation.
        # `_bounded` bounds every call anyway.
        "socket_timeout": None,
        "socket_connect_timeout": CONNECT_WAIT_S,
        "retry": Retry(NoBackoff(), 0),  # a repeated append would be refused as late although the first one was stored
    }


async def _repeated(call: Callable[[], Awaitable[Any]]) -> Any:
    for tries_left in reversed(range(REPEAT_TRIES_MAX)):
        try:
            return await _bounded(call)
        except StoreDown as error:
            if tries_left == 0 or not isinstance(error.__cause__, Disconnected):
                raise
    raise AssertionError("unreachable")


async def _bounded(call: Callable[[], Awaitable[Any]]) -> Any:
    try:
        async with asyncio.timeout(CALL_WAIT_S):
            return await call()
    except (Disconnected, TooSlow, ClusterDownError, RedisClusterException, OSError) as error:
        raise StoreDown(f"the store does not answer: {error}") from error
    except TimeoutError as error:
        raise StoreDown(f"no answer within {CALL_WAIT_S:g} s") from error
    except ResponseError:
        raise
    except RedisError as error:
        raise StoreDown(f"the store failed: {error}") from error


def _as_sent(response: Any, **kwargs: Any) -> Any:  # noqa: ARG001  # the library passes the command's options
    return response
