"""Consumer groups on the bus, as Redis keeps them."""

import contextlib
from collections.abc import Container, Iterator, Mapping, Sequence

from redis.exceptions import ResponseError

from starport_eventlog.contract import DeadLetter, Entry, GroupMissing, StoreDown
from starport_eventlog.ids import bus_key, dead_key
from starport_eventlog.limits import BUS_ENTRIES_MAX, DEAD_LETTERS_MAX, ERROR_TEXT_MAX
from starport_eventlog.link import Link, Script
from starport_eventlog.parsing import id_order, parse_map, parse_message, parse_streams


class RedisGroups:
    def __init__(self, link: Link) -> None:
        self.link = link
        self._bury = Script("bury.lua")
        self._forget = Script("forget.lua")

    @property
    def lanes(self) -> Sequence[Sequence[str]]:
        return self.link.lanes

    async def ensure_group(self, partition: str, group: str) -> None:
        try:
            await self.link.call(partition, "XGROUP", "CREATE", bus_key(partition), group, "0", "MKSTREAM")
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise StoreDown(str(error)) from error

    async def fetch(self, lane: Sequence[str], group: str, name: str, count: int, block_s: float) -> list[Entry]:
        # Sent once: what a lost reply carried is pending, and the consumer claims it.
        with _group_errors():
            reply = await self.link.call_once(
                lane[0],
                "XREADGROUP",
                "GROUP",
                group,
                name,
                "COUNT",
                count,
                "BLOCK",
                int(block_s * 1000),
                "STREAMS",
                *(bus_key(partition) for partition in lane),
                *(">" for _ in lane),
            )
        return [Entry(partition, entry_id, message, 1) for partition, entry_id, message in parse_streams(reply)]

    async def claim(
        self,
        partition: str,
        group: str,
        name: str,
        *,
        idle_ms: int,
        count: int,
        owner: str | None = None,
        skip: Container[str] = (),
    ) -> list[Entry]:
        # XAUTOCLAIM would do it in one call, but it does not tell how often an entry was delivered.
        with _group_errors():
            deliveries = await self._pending(partition, group, idle_ms, count, owner, skip)
            if not deliveries:
                return []
            claimed = await self.link.call_once(
                partition, "XCLAIM", bus_key(partition), group, name, idle_ms, *deliveries
            )
        # Entries that were trimmed away are missing here, and with that no longer pending.
        return [
            Entry(partition, row[0].decode(), parse_message(row[1]), deliveries[row[0].decode()] + 1)
            for row in claimed
            if row is not None
        ]

    async def _pending(
        self, partition: str, group: str, idle_ms: int, count: int, owner: str | None, skip: Container[str]
    ) -> dict[str, int]:
        """How often each was delivered, by id."""
        found: dict[str, int] = {}
        start = "-"
        filters = () if owner is None else (owner,)
        while True:
            page = await self.link.call(
                partition, "XPENDING", bus_key(partition), group, "IDLE", idle_ms, start, "+", count, *filters
            )
            for raw_id, _, _, times in page:
                entry_id = raw_id.decode()
                start = f"({entry_id}"
                if entry_id not in skip and len(found) < count:
                    found[entry_id] = int(times)
            if len(page) < count or len(found) == count:
                return found

    async def touch(self, partition: str, group: str, name: str, ids: Sequence[str], *, idle_ms: int) -> None:
        with _group_errors():
            await self.link.call(partition, "XCLAIM", bus_key(partition), group, name, idle_ms, *ids, "JUSTID")

    async def ack(self, group: str, ids: Mapping[str, Sequence[str]]) -> None:
        commands = [("XACK", bus_key(partition), group, *done) for partition, done in ids.items() if done]
        for answer in await self.link.batch(commands):
            if isinstance(answer, Exception):
                raise StoreDown(str(answer)) from answer

    async def bury(self, group: str, entry: Entry, error: str) -> None:
        with _group_errors():
            await self.link.run(
                entry.partition,
                self._bury,
                [bus_key(entry.partition), dead_key(entry.partition, group)],
                [group, entry.id, error[:ERROR_TEXT_MAX], DEAD_LETTERS_MAX],
            )

    async def dead_letters(self, partition: str, group: str, count: int) -> list[DeadLetter]:
        reply = await self.link.call(partition, "XREVRANGE", dead_key(partition, group), "+", "-", "COUNT", count)
        return [DeadLetter(parse_message(fields[2:]), fields[1].decode(errors="replace")) for _, fields in reply]

    async def forget_idle(self, partition: str, group: str, *, idle_ms: int, name: str | None = None) -> None:
        with _group_errors():
            await self.link.run(partition, self._forget, [bus_key(partition)], [group, idle_ms, name or ""])

    async def trim(self, partition: str) -> None:
        key = bus_key(partition)
        with _group_errors():
            surplus = int(await self.link.call(partition, "XLEN", key)) - BUS_ENTRIES_MAX
            if surplus <= 0:
                return
            needed = await self._first_needed(partition)
            # Whole nodes of the stream only, the oldest ones, and no more than the surplus.
            await self.link.call(partition, "XTRIM", key, "MINID", "~", needed, "LIMIT", surplus)

    async def _first_needed(self, partition: str) -> str:
        """The oldest entry that some group has not acknowledged; the end of the bus when all have."""
        key = bus_key(partition)
        info = parse_map(await self.link.call(partition, "XINFO STREAM", key))
        needed = [info["last-generated-id"].decode()]
        for row in await self.link.call(partition, "XINFO GROUPS", key):
            group = parse_map(row)
            how_many, oldest, *_ = await self.link.call(partition, "XPENDING", key, group["name"])
            needed.append((oldest if how_many else group["last-delivered-id"]).decode())
        first: str = min(needed, key=id_order)
        return first


@contextlib.contextmanager
def _group_errors() -> Iterator[None]:
    try:
        yield
    except ResponseError as error:
        if "NOGROUP" in str(error) or "no such key" in str(error).lower():
            raise GroupMissing(str(error)) from error
        raise StoreDown(str(error)) from error
