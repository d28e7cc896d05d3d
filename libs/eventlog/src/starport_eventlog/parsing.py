"""Stream entries as Redis sends them, as messages."""

from collections.abc import Iterator, Sequence
from typing import Any

from starport_eventlog.contract import BusMessage


def parse_message(fields: Sequence[bytes] | None) -> BusMessage | None:
    """None when the entry is not one of ours, or was deleted."""
    if fields is None:
        return None
    try:
        found = dict(zip(fields[::2], fields[1::2], strict=True))
        return BusMessage(found[b"m"].decode(), int(found[b"v"]), found[b"b"])
    except (KeyError, ValueError):
        return None


def parse_streams(reply: Any) -> Iterator[tuple[str, str, BusMessage | None]]:
    """What XREAD and XREADGROUP bring: partition, entry id, message."""
    for key, entries in reply or ():
        partition = key[1:3].decode()  # {NN}:bus
        for entry_id, fields in entries:
            yield partition, entry_id.decode(), parse_message(fields)


def parse_map(row: Sequence[Any]) -> dict[str, Any]:
    """What XINFO brings: names and values in turn."""
    return {row[index].decode(): row[index + 1] for index in range(0, len(row), 2)}


def id_order(entry_id: str) -> tuple[int, int]:
    milliseconds, _, sequence = entry_id.partition("-")
    return int(milliseconds), int(sequence or 0)
