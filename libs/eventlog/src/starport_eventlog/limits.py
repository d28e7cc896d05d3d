"""Every bound of the log and the bus, with its unit."""

from typing import Final

PARTITIONS_MAX: Final = 100  # a match id names its partition with two digits

RECORD_BYTES_MAX: Final = 256 * 1024
BUS_BODY_BYTES_MAX: Final = 256 * 1024
LOG_RECORDS_MAX: Final = 20_000  # per match

# What a partition's bus keeps. Above the first number it loses what every group has acknowledged; above the second it
# loses the oldest entries, whoever still needs them, for a group that nobody serves must not fill the store.
BUS_ENTRIES_MAX: Final = 100_000
BUS_ENTRIES_HARD_MAX: Final = 500_000
DEAD_LETTERS_MAX: Final = 10_000  # per partition and group

CALL_WAIT_S: Final = 5.0  # no call of the store takes longer
CONNECT_WAIT_S: Final = 2.0
BLOCK_S: Final = 2.0  # how long a read waits for news; well below CALL_WAIT_S
CONNECTIONS_MAX: Final = 256  # per server; in a cluster every waiting partition has its own
BACKOFF_MIN_S: Final = 0.05  # after a lost connection, doubled up to the next
BACKOFF_MAX_S: Final = 2.0

APPENDS_WAITING_MAX: Final = 4096
APPENDS_PER_BATCH_MAX: Final = 128
GATHER_TURNS_MAX: Final = 8  # turns of the event loop that a batch waits for others to come along
BATCH_BYTES_MAX: Final = 4 * 1024 * 1024

READ_PAGE_RECORDS: Final = 500
TAIL_PAGE_ENTRIES: Final = 500
TAIL_PAUSE_S: Final = 0.02  # between two reads of a busy bus; what another replica stored is heard so much later
TAIL_LOOK_EVERY_S: Final = 2.0  # whether the store still has what follows the last entry seen
TAIL_QUEUE_MAX: Final = 10_000  # messages that one tail may lag behind before it is told of a gap

NAME_CHARACTERS_MAX: Final = 64  # of a group or consumer
ERROR_TEXT_MAX: Final = 500  # characters of an error kept with a dead letter

STORE_START_WAIT_S: Final = 60.0  # the embedded store reads its whole file first
STORE_STOP_WAIT_S: Final = 10.0
SOCKET_PATH_MAX: Final = 100  # bytes; the kernel takes 107
