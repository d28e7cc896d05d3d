"""What the log and the bus promise, whichever store keeps them."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from starport_eventlog.limits import BUS_BODY_BYTES_MAX, LOG_RECORDS_MAX, RECORD_BYTES_MAX


class StoreDown(Exception):
    """The store cannot say. Whether an append happened is then unknown: read the log to find out."""


class TailGap(Exception):
    """A tail missed messages: read again what you follow, then go on iterating the same tail."""


@dataclass(frozen=True, slots=True)
class BusMessage:
    match: str
    version: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """A bus message as a consumer group got it."""

    partition: str
    id: str
    message: BusMessage | None  # None when the entry is not one of ours
    deliveries: int  # how often somebody got it, this time included


@dataclass(frozen=True, slots=True)
class DeadLetter:
    message: BusMessage | None
    error: str


class Tail(Protocol):
    """Every bus message from `ready` on, in order per partition. Raises TailGap when some were missed, then goes on."""

    def __aiter__(self) -> Self: ...

    async def __anext__(self) -> BusMessage: ...

    async def ready(self) -> None:
        """Returns when nothing that is appended from now on can be missed; StoreDown when that takes too long."""

    async def aclose(self) -> None: ...


class EventLog(Protocol):
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
        """One atomic step: if the log's last version is `version - 1`, appends the record, tells the bus (unless None),
        sets the match's deadline and the log's expiry, or clears them (None). False when somebody was first, or when
        versions would have a gap. StoreDown when the store cannot say; ValueError when it is not even asked."""

    async def read(self, match: str, after: int = 0) -> list[bytes]:
        """The records in order, from version `after + 1` on."""

    async def due(self, partition: str, now_ms: int, limit: int) -> list[str]:
        """Matches whose deadline has passed, the longest waiting first."""

    async def forget_deadline(self, match: str) -> None:
        """For a match that is due but has no log any more."""

    def tail(self) -> Tail: ...

    async def close(self) -> None: ...


class Groups(Protocol):
    """What a consumer needs of a store; services use Consumer."""

    @property
    def lanes(self) -> Sequence[Sequence[str]]:
        """The partitions, in sets that one call can wait for together."""

    async def ensure_group(self, partition: str, group: str) -> None:
        """Creates the group at the beginning of the bus unless it exists."""

    async def fetch(self, lane: Sequence[str], group: str, name: str, count: int, block_s: float) -> list[Entry]:
        """New entries for this consumer; waits for some. GroupMissing when a group is gone."""

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
        """Takes over entries that were delivered and not touched for so long, of one owner or all, the oldest first."""

    async def touch(self, partition: str, group: str, name: str, ids: Sequence[str], *, idle_ms: int) -> None:
        """Says that these are still worked on, unless somebody else touched them less than `idle_ms` ago."""

    async def ack(self, group: str, ids: Mapping[str, Sequence[str]]) -> None:
        """Entries by partition that are done."""

    async def bury(self, group: str, entry: Entry, error: str) -> None:
        """Moves an entry to the group's dead letters, if it is not done yet."""

    async def dead_letters(self, partition: str, group: str, count: int) -> list[DeadLetter]:
        """The newest first."""

    async def forget_idle(self, partition: str, group: str, *, idle_ms: int, name: str | None = None) -> None:
        """Removes consumers (or this one) that own nothing and were not heard of for so long."""

    async def trim(self, partition: str) -> None:
        """Drops the oldest entries beyond BUS_ENTRIES_MAX that every group has acknowledged."""


class GroupMissing(Exception):
    """The group does not exist (any more): the store was emptied, or the group is new."""


def check_append(version: int, record: bytes, bus: bytes | None) -> None:
    if not 1 <= version <= LOG_RECORDS_MAX:
        raise ValueError(f"version {version} is outside 1-{LOG_RECORDS_MAX}, the most a match's log can hold")
    if len(record) > RECORD_BYTES_MAX:
        raise ValueError(f"record of {len(record)} bytes; at most {RECORD_BYTES_MAX} are allowed")
    if bus is not None and len(bus) > BUS_BODY_BYTES_MAX:
        raise ValueError(f"bus message of {len(bus)} bytes; at most {BUS_BODY_BYTES_MAX} are allowed")
