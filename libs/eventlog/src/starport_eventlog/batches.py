"""A connection of its own for batches of commands: what a pool, a pipeline and retries cost, a batch does not need."""

from collections.abc import Sequence
from typing import Any

import hiredis
from redis.asyncio import ConnectionPool
from redis.exceptions import ResponseError

Argument = str | bytes | int | float
Command = tuple[Argument, ...]


class BatchLine:
    """Sends each batch in one write and reads its answers; nothing is ever sent twice. One batch at a time."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._connection = pool.make_connection()  # type: ignore[no-untyped-call]

    async def send(self, commands: Sequence[Command]) -> list[Any]:
        """The answers in order, errors of the server as values; any other exception ends the connection."""
        connection = self._connection
        reader = connection._reader  # noqa: SLF001  # the public question costs as much as the answer of the store
        if reader is not None and reader.at_eof():  # closed while it was idle: a fresh one is opened by the write
            await connection.disconnect(nowait=True)
        try:
            await connection.send_packed_command([_packed(command) for command in commands], False)
            return [await self._answer() for _ in commands]
        except BaseException:  # answers may still be on their way: they must not be taken for those of the next batch
            await connection.disconnect(nowait=True)
            raise

    async def _answer(self) -> Any:
        try:
            return await self._connection.read_response(disable_decoding=True)
        except ResponseError as error:
            return error

    async def close(self) -> None:
        await self._connection.disconnect(nowait=True)


def _packed(command: Command) -> bytes:
    return hiredis.pack_command(command)  # type: ignore[no-any-return, arg-type]  # its stub says a tuple of one
