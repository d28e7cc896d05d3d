"""A position of Space Race: small ints and lists, cheap to copy."""

from __future__ import annotations

from starport_games.kernel.deal import Deal
from starport_games.kernel.digests import add_list
from starport_games.space_race.codes import DAMAGES, NONE, SHIPS
from starport_games.space_race.pack import Pack


class State:
    """Lists inside lists, decks and the lists after `answers` are shared between copies: a change puts a new
    list in their place. HIDDEN (-2) stands where a view has a gap."""

    def __init__(
        self,
        pack: Pack,
        seats: int,
        phase: int,
        round: int,
        pick: int,
        coin: int,
        danger: int,
        space_deck: list[int],
        space_at: int,
        danger_deck: list[int],
        danger_at: int,
        damage_deck: list[int],
        damage_at: int,
        hands: list[list[int]],
        up: list[list[int]],
        fuel: list[list[int]],
        crew: list[list[int]],
        answers: list[int],
        damage: list[int],
        scanned: list[int],
        bids: list[int],
        cockpits: list[int],
        engines: list[int],
        fuel_gone: list[int],
        crew_gone: list[int],
        danger_gone: list[int],
        damage_gone: list[int],
        deal: Deal | None,
    ) -> None:
        self.pack = pack
        self.seats = seats
        self.phase = phase
        self.round = round  # 1 is the first; 0 while ships are chosen
        self.pick = pick  # 1 is the first; 0 outside the Upgrade Phase
        self.coin = coin
        self.danger = danger  # the revealed Danger card
        self.space_deck = space_deck  # decks are used from index _at on, the top first
        self.space_at = space_at
        self.danger_deck = danger_deck
        self.danger_at = danger_at
        self.damage_deck = damage_deck
        self.damage_at = damage_at
        self.hands = hands  # by seat; a committed card stays in the hand until all are revealed
        self.up = up  # by seat: face-up cards but Crew, in the order of play
        self.fuel = fuel  # by seat, the longest held first
        self.crew = crew  # by seat, the longest held first
        self.answers = answers  # by seat: the committed move, or NONE
        self.damage = damage  # seat * 3 + kind: how many
        self.scanned = scanned  # by seat: the Danger card it looked at, until that is revealed
        self.bids = bids  # by seat, from their reveal until the round ends
        self.cockpits = cockpits
        self.engines = engines
        self.fuel_gone = fuel_gone
        self.crew_gone = crew_gone
        self.danger_gone = danger_gone
        self.damage_gone = damage_gone  # by kind: how many
        self.deal = deal  # None in a view

    def copy(self, deal: Deal | None) -> State:
        """This position with another generator."""
        return State(
            self.pack,
            self.seats,
            self.phase,
            self.round,
            self.pick,
            self.coin,
            self.danger,
            self.space_deck,
            self.space_at,
            self.danger_deck,
            self.danger_at,
            self.damage_deck,
            self.damage_at,
            self.hands[:],
            self.up[:],
            self.fuel[:],
            self.crew[:],
            self.answers[:],
            self.damage,
            self.scanned,
            self.bids,
            self.cockpits,
            self.engines,
            self.fuel_gone,
            self.crew_gone,
            self.danger_gone,
            self.damage_gone,
            deal,
        )

    def clone(self) -> State:
        deal = self.deal
        return self.copy(None if deal is None else deal.clone())

    def numbers(self) -> list[int]:
        """The position without its cards' content and its generator, for a digest: each list after its length."""
        told = [self.seats, self.phase, self.round, self.pick, self.coin, self.danger]
        add_list(told, self.space_deck[self.space_at :])
        add_list(told, self.danger_deck[self.danger_at :])
        add_list(told, self.damage_deck[self.damage_at :])
        for seat in range(self.seats):
            add_list(told, self.hands[seat])
            add_list(told, self.up[seat])
            add_list(told, self.fuel[seat])
            add_list(told, self.crew[seat])
        add_list(told, self.answers)
        add_list(told, self.damage)
        add_list(told, self.scanned)
        add_list(told, self.bids)
        add_list(told, self.cockpits)
        add_list(told, self.engines)
        add_list(told, self.fuel_gone)
        add_list(told, self.crew_gone)
        add_list(told, self.danger_gone)
        add_list(told, self.damage_gone)
        return told

    def same(self, other: State) -> bool:
        """Equal in everything that can ever matter, generator included."""
        return (
            self.pack.same(other.pack)
            and self.seats == other.seats
            and self.phase == other.phase
            and self.round == other.round
            and self.pick == other.pick
            and self.coin == other.coin
            and self.danger == other.danger
            and self.space_deck[self.space_at :] == other.space_deck[other.space_at :]
            and self.danger_deck[self.danger_at :] == other.danger_deck[other.danger_at :]
            and self.damage_deck[self.damage_at :] == other.damage_deck[other.damage_at :]
            and self.hands == other.hands
            and self.up == other.up
            and self.fuel == other.fuel
            and self.crew == other.crew
            and self.answers == other.answers
            and self.damage == other.damage
            and self.scanned == other.scanned
            and self.bids == other.bids
            and self.cockpits == other.cockpits
            and self.engines == other.engines
            and self.fuel_gone == other.fuel_gone
            and self.crew_gone == other.crew_gone
            and self.danger_gone == other.danger_gone
            and self.damage_gone == other.damage_gone
            and deal_text(self.deal) == deal_text(other.deal)
        )


def deal_text(deal: Deal | None) -> str:
    return "?" if deal is None else deal.text()


def blank(pack: Pack, seats: int) -> State:
    """A table before the first fact: nobody has anything (SR-SETUP-7)."""
    return State(
        pack,
        seats,
        SHIPS,
        0,
        0,
        NONE,
        NONE,
        [],
        0,
        [],
        0,
        [],
        0,
        empty_lists(seats),
        empty_lists(seats),
        empty_lists(seats),
        empty_lists(seats),
        [NONE] * seats,
        [0] * (seats * DAMAGES),
        [NONE] * seats,
        [NONE] * seats,
        [NONE] * seats,
        [NONE] * seats,
        [],
        [],
        [],
        [0] * DAMAGES,
        None,
    )


def empty_lists(count: int) -> list[list[int]]:
    lists: list[list[int]] = []
    for _ in range(count):
        lists.append([])
    return lists
