"""What an operator can set for the house bots, and their limits."""

from __future__ import annotations

from typing import Final

from pydantic import Field

from starport_chassis.settings import Settings

GROUP: Final = "smuggler"
COMMANDS: Final = "starport:house:"  # begins the command ids of house bots; the decision and the replica follow
MOVES_IN_A_ROW_MAX: Final = 64  # of one seat, before the bus is waited for
IN_A_ROW_S: Final = 5.0  # the same as time
COMPANY_S: Final = 10.0  # so long another replica is believed to be there after it was met
RECENT_MAX: Final = 50_000  # answered decisions that are remembered, so that they are not even looked at again
RETRY_MIN_S: Final = 0.1  # between tries while the rules service is away, doubled up to the next
RETRY_MAX_S: Final = 5.0
GIVE_UP_S: Final = 600.0  # after so long a turn is left to the clocks and the dead letters
HANDLE_S: Final = GIVE_UP_S + 60.0
DRAIN_S: Final = 3.0  # what a move under way gets at the end
THINK_MS_MAX: Final = 10_000  # well below the time after which the rules service plays a default move


class SmugglerSettings(Settings):
    """Settings of the house bots, the Smuggler among them."""

    rules_address: str = Field("127.0.0.1:7001", description="host and port of the rules service")
    think_ms: int = Field(
        0, ge=0, le=THINK_MS_MAX, description="house bots wait so long before each move, in milliseconds"
    )
    turns_max: int = Field(
        64, ge=1, le=512, description="bus entries that this replica takes at a time; the rest is for the others"
    )
    consumer_name: str = Field(
        "",
        pattern=r"^[A-Za-z0-9._-]{0,32}$",
        description="name of this replica on the bus, of its own; kept over a restart it goes on at once",
    )
    takeover_s: float = Field(
        5.0, gt=0, description="the turns of a replica that gave no sign of life for so long are taken over, in seconds"
    )
