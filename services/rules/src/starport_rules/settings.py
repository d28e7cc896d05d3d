"""What an operator can set for the rules service."""

from __future__ import annotations

from pydantic import Field

from starport_chassis.settings import Settings

APPEND_TRIES_MAX = 3  # a move that lost the race for its version is checked against the new position so often
FOLLOW_TRIES_MAX = 10  # a viewer whose match the cache drops and opens again while it comes in is led there so often
FORGET_LOOK_MAX = 16  # matches that one call looks at to find some that nobody needs in memory
COMMAND_ID_CHARS_MAX = 64
CARD_FILE_BYTES_MAX = 128 * 1024
POSITION_BYTES_MAX = 64 * 1024
NONCE_BYTES_MAX = 64
NAME_CHARS_MAX = 40
UPDATES_WAITING_MAX = 256  # a viewer that lags further behind is told to come back
COMMANDS_PER_MESSAGE_MAX = 256
EVENTS_PER_MESSAGE_MAX = 64
PLAYS_IN_FLIGHT_MAX = 128  # of one session
MATCHES_PER_SESSION_MAX = 1024
DUE_BATCH_MAX = 100


class RulesSettings(Settings):
    """Settings of the rules service."""

    cache_matches: int = Field(10_000, ge=1, description="how many matches are kept unfolded in memory")
    clock_poll_s: float = Field(0.25, gt=0, description="how often clocks are looked at, in seconds")
    absent_after: int = Field(3, ge=1, description="after so many timeouts in a row a house bot plays for the seat")
    house_wait_ms: int = Field(
        20_000, ge=100, description="a house bot that has not answered by then gets the default move, in milliseconds"
    )
    prepared_ttl_s: int = Field(
        24 * 3600, ge=60, description="a match that was prepared and never started goes away after so many seconds"
    )
