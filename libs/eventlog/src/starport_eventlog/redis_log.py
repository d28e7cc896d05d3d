"""The match log and the bus on Redis streams, on one server or a cluster."""

from collections.abc import Sequence
from typing import Any

from redis.exceptions import NoScriptError, ResponseError

from starport_eventlog.batches import Argument, Command
from starport_eventlog.contract import StoreDown, Tail, check_append
from starport_eventlog.ids import bus_key, clocks_key, log_key, partition_names, partition_of
from starport_eventlog.limits import BUS_ENTRIES_HARD_MAX, LOG_RECORDS_MAX, READ_PAGE_RECORDS
from starport_eventlog.link import Link, Script
from starport_eventlog.redis_groups import RedisGroups
from starport_eventlog.redis_tail import TailPump
from starport_eventlog.writer import Arguments, BatchingWriter


class RedisLog(RedisGroups):
    def __init__(self, url: str, partitions: int) -> None:
        super().__init__(Link(url, partitions))
        self.partitions = partition_names(partitions)
        self._append = Script("append.lua")
        self._writer = BatchingWriter(self._send_appends)
        self._pump = TailPump(self.link)

    async def append(
        self,
        match: str,
        version: int,
        record: bytes,
        *,
        bus: bytes | None,
        deadline_ms: int | None = None,
        ttl_s: int | None = None,
    ) -> bool:
        partition = self._partition(match)
        check_append(version, record, bus)
        arguments: Arguments = (
            "EVALSHA",
            self._append.digest,
            3,
            log_key(match),
            bus_key(partition),
            clocks_key(partition),
            version,
            record,
            match,
            b"" if bus is None else bus,
            "0" if bus is None else "1",
            "" if deadline_ms is None else deadline_ms,
            "" if ttl_s is None else ttl_s,
            BUS_ENTRIES_HARD_MAX,
        )
        return await self._writer.append(arguments, len(record) + (0 if bus is None else len(bus)))

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        partition = self._partition(match)
        records: list[bytes] = []
        while True:
            first = after + len(records) + 1
            page = await self._ask(partition, "XRANGE", log_key(match), f"{first}-0", "+", "COUNT", READ_PAGE_RECORDS)
            records.extend(fields[1] for _, fields in page)
            if len(page) < READ_PAGE_RECORDS or len(records) >= LOG_RECORDS_MAX:
                return records

    async def due(self, partition: str, now_ms: int, limit: int) -> list[str]:
        found = await self._ask(partition, "ZRANGEBYSCORE", clocks_key(partition), "-inf", now_ms, "LIMIT", 0, limit)
        return [match.decode() for match in found]

    async def forget_deadline(self, match: str) -> None:
        partition = self._partition(match)
        await self._ask(partition, "ZREM", clocks_key(partition), match)

    def tail(self) -> Tail:
        return self._pump.open()

    async def close(self) -> None:
        await self._writer.close()
        await self._pump.close()
        await self.link.close()

    async def _ask(self, partition: str, *command: Argument) -> Any:
        try:
            return await self.link.call(partition, *command)
        except ResponseError as error:
            raise StoreDown(str(error)) from error

    def _partition(self, match: str) -> str:
        partition = partition_of(match)
        if partition not in self.partitions:
            raise ValueError(f"match {match} is in partition {partition}, but there are only {len(self.partitions)}")
        return partition

    async def _send_appends(self, appends: Sequence[Command]) -> Sequence[bool | StoreDown]:
        answers = await self.link.next_batch(appends)
        # A server that does not know the script has done nothing, so these may be sent again.
        unknown = [index for index, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:
            for index, answer in zip(
                unknown, await self._send_again([appends[index] for index in unknown]), strict=True
            ):
                answers[index] = answer
        return [_appended(answer) for answer in answers]

    async def _send_again(self, appends: Sequence[Command]) -> list[Any]:
        try:
            await self.link.load(self._append)
            return await self.link.next_batch(appends)
        except StoreDown as error:
            return [error] * len(appends)


def _appended(answer: Any) -> bool | StoreDown:
    if isinstance(answer, Exception):
        return StoreDown(f"the store does not say whether it appended: {answer}")
    return bool(answer == 1)
