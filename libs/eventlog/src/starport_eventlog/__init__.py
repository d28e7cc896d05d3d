"""The match log and the bus over Redis streams, with a memory twin."""

from starport_eventlog.consumer import Consumer
from starport_eventlog.contract import BusMessage, EventLog, StoreDown, Tail, TailGap
from starport_eventlog.embedded import EmbeddedStore
from starport_eventlog.handling import ConsumerLimits, ConsumerStats
from starport_eventlog.ids import new_match_id, partition_of
from starport_eventlog.memory import MemoryLog
from starport_eventlog.opening import open_log
from starport_eventlog.redis_log import RedisLog

__all__ = [
    "BusMessage",
    "Consumer",
    "ConsumerLimits",
    "ConsumerStats",
    "EmbeddedStore",
    "EventLog",
    "MemoryLog",
    "RedisLog",
    "StoreDown",
    "Tail",
    "TailGap",
    "new_match_id",
    "open_log",
    "partition_of",
]
