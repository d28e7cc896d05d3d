"""Match ids, and which partition of the store a match lives in."""

import re
import secrets

from starport_eventlog.limits import PARTITIONS_MAX

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_RANDOM_CHARACTERS = 16  # 80 bits
_MATCH_ID = re.compile(rf"[0-9]{{2}}[{_ALPHABET}]{{{_RANDOM_CHARACTERS}}}")


def new_match_id(partitions: int) -> str:
    check_partitions(partitions)
    partition = secrets.randbelow(partitions)
    return f"{partition:02d}" + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM_CHARACTERS))


def partition_of(match: str) -> str:
    if _MATCH_ID.fullmatch(match) is None:
        raise ValueError(f"not a match id: {match[:40]!r}")
    return match[:2]


def partition_names(partitions: int) -> tuple[str, ...]:
    check_partitions(partitions)
    return tuple(f"{number:02d}" for number in range(partitions))


def check_partitions(partitions: int) -> None:
    if not 1 <= partitions <= PARTITIONS_MAX:
        raise ValueError(f"{partitions} partitions; 1-{PARTITIONS_MAX} are possible")


# The hash tag keeps everything of a partition in one slot of a Redis Cluster, so that one script may touch all of it.


def log_key(match: str) -> str:
    return f"{{{match[:2]}}}:match:{match}"


def bus_key(partition: str) -> str:
    return f"{{{partition}}}:bus"


def clocks_key(partition: str) -> str:
    return f"{{{partition}}}:clocks"


def dead_key(partition: str, group: str) -> str:
    return f"{{{partition}}}:bus:dead:{group}"
