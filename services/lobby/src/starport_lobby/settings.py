"""What an operator can set for the lobby, and the limits that nobody needs to set."""

from __future__ import annotations

from pydantic import Field

from starport_chassis.settings import Settings

BOTS = ("greedy", "random")  # the house bots there are
SMUGGLER_BOT = "greedy"
STAND_IN_BOT = "greedy"  # plays for a player who is absent

NAME_CHARS_MIN = 2
NAME_CHARS_MAX = 24
KEY_CHARS_MAX = 128  # of a login; ours have 32
LABEL_CHARS_MAX = 80  # what lists show of a card file or a position

# What the rules service takes; refused here, so that nobody waits at a table that cannot start.
CARD_FILE_BYTES_MAX = 128 * 1024
POSITION_BYTES_MAX = 64 * 1024
NONCE_BYTES_MAX = 64
CLOCK_MS_MAX = 7 * 24 * 3600 * 1000

CHANGE_TRIES_MAX = 20  # a change that lost the race for its table is judged again so often
QUICK_TRIES_MAX = 40  # the same for somebody who looks for any seat
QUICK_LOOKS_AT = 8  # waiting tables that one look takes
LIST_DEFAULT = 50
LIST_MAX = 200
LIST_PAGE = 200  # entries of an index that are read at once
STARTED_LISTED_MAX = 10_000  # the newest started tables; older ones are still found by id and by their players
MINE_STARTED_MAX = 1_000  # the newest started tables of one player
SWEEP_MAX = 100  # entries of expired tables that one change takes out of the indexes
STUCK_BATCH_MAX = 20  # tables whose start one round repeats

STORE_WAIT_S = 3.0  # no call of the store takes longer
STORE_CONNECT_S = 2.0
STORE_CONNECTIONS_MAX = 64
RULES_WAIT_S = 3.0  # no call of the rules service takes longer
GROUP = "lobby"  # on the bus
HANDLE_S = 30.0  # what one entry of the bus may take
DRAIN_S = 3.0  # what an entry under way gets at the end


class LobbySettings(Settings):
    """Settings of the lobby."""

    rules_address: str = Field("127.0.0.1:7001", description="where the rules service listens, as host:port")
    player_token_s: float = Field(24 * 3600, ge=1, description="how long a player's token is good, in seconds")
    seat_token_s: float = Field(12 * 3600, ge=1, description="how long a seat's token is good, in seconds")
    invitation_s: float = Field(7 * 24 * 3600, ge=1, description="how long an invitation is good, in seconds")
    open_ttl_s: float = Field(
        1800, gt=0, description="a table at which nothing happens before its start goes away after so many seconds"
    )
    open_life_s: float = Field(
        12 * 3600,
        gt=0,
        description="no table stays open longer, in seconds; less than what the rules service keeps a prepared match",
    )
    started_ttl_s: float = Field(
        14 * 24 * 3600, gt=0, description="a started table that no player enters is forgotten after so many seconds"
    )
    ended_ttl_s: float = Field(
        24 * 3600, gt=0, description="a table whose match is over is forgotten after so many seconds"
    )
    consumer_name: str = Field(
        "",
        pattern=r"^[A-Za-z0-9._-]{0,32}$",
        description="name of this replica on the bus, of its own; kept over a restart it goes on at once",
    )
    takeover_s: float = Field(
        10.0,
        gt=0,
        description="what a replica that gave no sign of life for so long left behind is taken over, in seconds",
    )
    tables_max: int = Field(10_000, ge=1, description="open tables of everybody together")
    tables_per_player_max: int = Field(10, ge=1, description="open tables at which one player may sit")
    players_max: int = Field(1_000_000, ge=1, description="registered players")
    start_retry_s: float = Field(
        2.0, gt=0, description="a start whose outcome is not known is repeated after so many seconds"
    )
    hashes_at_once: int = Field(2, ge=1, description="login keys that are hashed at the same time, one core each")
    hashes_waiting_max: int = Field(64, ge=1, description="further ones that wait; those past it are refused")
