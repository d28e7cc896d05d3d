"""Results and ratings in the database: each match once, in one order, by openskill's numbers."""

from __future__ import annotations

import asyncio
import itertools
import random
import sqlite3
from pathlib import Path

import pytest
from openskill.models import PlackettLuce
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable

from services.scoring.tests.entries import bot, entry, finished_of, player, solo
from starport.v1 import wild_space_pb2
from starport_chassis import CannotStart
from starport_scoring import opening
from starport_scoring.finished import Finished
from starport_scoring.opening import open_store
from starport_scoring.store import DatabaseDown, Store, answering
from starport_scoring.tables import LAYOUT, STEPS, metadata


async def skills(store: Store, game: str = "space-race") -> dict[str, tuple[float, float]]:
    return {row.competitor: (row.mu, row.sigma) for row in await store.best(game, 1, 1000)}


def directly(matches: list[list[tuple[str, int]]]) -> dict[str, tuple[float, float]]:
    """The same by openskill alone."""
    model = PlackettLuce()
    found = {who: model.rating() for match in matches for who, _ in match}
    for match in matches:
        rated = model.rate([[found[who]] for who, _ in match], ranks=[rank for _, rank in match])
        for (who, _), [rating] in zip(match, rated, strict=True):
            found[who] = rating
    return {who: (rating.mu, rating.sigma) for who, rating in found.items()}


async def test_ratings_are_openskill_s(store: Store) -> None:
    rng = random.Random(5)  # noqa: S311 - not for secrets
    matches: list[list[tuple[str, int]]] = []
    for _ in range(40):
        seats = rng.sample(["ann", "bob", "cid", "dee", "eve"], rng.randint(2, 4))
        matches.append([(who, rng.randint(1, 3)) for who in seats])  # ties happen
    for match in matches:
        assert await store.add(finished_of(entry(match)))
    expected = directly(matches)
    found = await skills(store)
    assert found.keys() == expected.keys()
    for who, (mu, sigma) in found.items():
        assert (mu, sigma) == pytest.approx(expected[who], rel=1e-12)
    for row in await store.best("space-race", 1, 10):
        assert row.ordinal == pytest.approx(row.mu - 3 * row.sigma)
        assert row.matches == sum(row.competitor in dict(match) for match in matches)
        assert row.wins == sum(dict(match).get(row.competitor) == 1 for match in matches)


async def test_a_tie_is_a_tie(store: Store) -> None:
    await store.add(finished_of(entry([("ann", 1), ("bob", 1)])))
    found = await skills(store)
    assert found["ann"] == found["bob"]


async def test_a_match_is_stored_once(store: Store) -> None:
    told = finished_of(entry([("ann", 1), ("bob", 2)]))
    assert await store.add(told)
    before = await skills(store)
    for _ in range(3):
        assert not await store.add(told)
    assert await skills(store) == before
    assert await store.numbers("", "", None, 10) == [1]
    assert await store.add(finished_of(entry([("ann", 1), ("bob", 2)])))
    assert await store.numbers("", "", None, 10) == [2, 1]  # no gap by the repetitions


async def test_house_bots_are_rated_beside_people(store: Store) -> None:
    await store.add(finished_of(entry([("ann", 1), (bot("greedy"), 2), (bot("random"), 3)])))
    found = await skills(store)
    assert found["ann"] > found["house:greedy"] > found["house:random"]


async def test_a_bot_on_two_seats_gets_the_mean(store: Store) -> None:
    await store.add(finished_of(entry([(bot("greedy"), 1), ("ann", 2), (bot("greedy"), 3)])))
    model = PlackettLuce()
    [[first], [ann], [third]] = model.rate([[model.rating()], [model.rating()], [model.rating()]], ranks=[1, 2, 3])
    found = await skills(store)
    assert found["ann"] == pytest.approx((ann.mu, ann.sigma))
    assert found["house:greedy"] == pytest.approx(((first.mu + third.mu) / 2, (first.sigma + third.sigma) / 2))
    [row] = [row for row in await store.best("space-race", 1, 10) if row.competitor == "house:greedy"]
    assert (row.matches, row.wins) == (1, 1)


@pytest.mark.parametrize("own_seat", [False, True])
async def test_the_solo_game_is_rated_against_the_smuggler(store: Store, own_seat: bool) -> None:
    plan = bot("greedy") if own_seat else None
    await store.add(finished_of(solo("ann", 1, smuggler=plan)))
    await store.add(finished_of(solo("ann", 2, wild_space_pb2.DIFFICULTY_UNSPECIFIED, smuggler=plan)))
    expected = directly([[("ann", 1), ("smuggler:hard", 2)], [("ann", 2), ("smuggler:normal", 1)]])
    found = await skills(store, "wild-space")
    assert found.keys() == expected.keys()
    for who in found:
        assert found[who] == pytest.approx(expected[who])


async def test_what_is_not_rated(store: Store) -> None:
    unrated = [
        entry([("ann", 1), ("bob", 2)], rated=False),
        entry([("ann", 1), ("ann", 2)]),
        entry([(bot("greedy"), 1), (bot("greedy"), 2)]),
        entry([("ann", 1)]),
        solo("ann", 1, smuggler=player("friend")),  # who could lose on purpose
    ]
    for told in unrated:
        assert await store.add(finished_of(told))
    assert await skills(store) == {}
    assert await skills(store, "wild-space") == {}
    for result, seats in await store.load([1, 2, 3, 4, 5]):
        assert not result.rated
        assert all(seat.mu_before is None and seat.sigma_after is None for seat in seats)


async def test_games_have_ratings_of_their_own(store: Store) -> None:
    await store.add(finished_of(entry([("ann", 1), ("bob", 2)])))
    await store.add(finished_of(entry([("ann", 2), ("bob", 1)], game="a-game-to-come")))
    assert (await skills(store))["ann"] == (await skills(store, "a-game-to-come"))["bob"]


async def test_writers_of_two_replicas_leave_one_order(url: str) -> None:
    """Whatever the order of commits was: rating the results by their numbers gives the ratings that are stored."""
    stores = [await open_store(url) for _ in range(3)]
    rng = random.Random(9)  # noqa: S311 - not for secrets
    told: list[Finished] = []
    for _ in range(30):
        seats = rng.sample(["ann", "bob", "cid"], 2)
        told.append(finished_of(entry([(seats[0], 1), (seats[1], rng.randint(1, 2))])))
    stored = await asyncio.gather(*(store.add(each) for store in stores for each in rng.sample(told, len(told))))
    assert sum(stored) == len(told)
    numbers = await stores[0].numbers("", "", None, 100)
    assert numbers == list(range(len(told), 0, -1))
    in_order = [[(seat.competitor, seat.rank) for seat in seats] for _, seats in await stores[1].load(numbers[::-1])]
    expected = directly(in_order)
    for who, skill in (await skills(stores[2])).items():
        assert skill == pytest.approx(expected[who], rel=1e-12)
    for store in stores:
        await store.close()


async def test_each_result_tells_the_ratings_before_and_after_it(store: Store) -> None:
    for rank in (1, 2, 1):
        await store.add(finished_of(entry([("ann", rank), ("bob", 3 - rank)])))
    found = [seats for _, seats in await store.load([1, 2, 3])]
    for earlier, later in itertools.pairwise(found):
        for old, new in zip(earlier, later, strict=True):
            assert (old.mu_after, old.sigma_after) == (new.mu_before, new.sigma_before)
    assert (await skills(store))["ann"] == (found[-1][0].mu_after, found[-1][0].sigma_after)


async def test_a_failing_step_leaves_nothing_behind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    told = finished_of(entry([("ann", 1), ("bob", 2)]))
    with monkeypatch.context() as patched:
        patched.setattr("starport_scoring.store.seat_rows", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            await store.add(told)
    assert await store.numbers("", "", None, 10) == []
    assert await skills(store) == {}
    assert await store.add(told)
    assert await store.numbers("", "", None, 10) == [1]


# -- opening


async def test_results_survive_a_restart(url: str) -> None:
    told = finished_of(entry([("ann", 1), ("bob", 2)]))
    first = await open_store(url)
    await first.add(told)
    before = await skills(first)
    await first.close()
    second = await open_store(url)
    assert await skills(second) == before
    assert not await second.add(told)
    await second.close()


async def test_replicas_may_make_the_tables_at_the_same_time(url: str) -> None:
    stores = await asyncio.gather(*(open_store(url) for _ in range(4)))
    for number, store in enumerate(stores, 1):
        assert await store.add(finished_of(entry([("ann", 1), ("bob", 2)])))
        assert await store.numbers("", "", None, 1) == [number]
        await store.close()


async def test_an_unfinished_making_of_the_tables_is_finished(url: str) -> None:
    store = await open_store(url)
    await store.close()
    with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
        file.execute("DELETE FROM results_ledger")
        file.execute("DROP TABLE ratings")
    file.close()
    store = await open_store(url)
    assert await store.add(finished_of(entry([("ann", 1), ("bob", 2)])))
    await store.close()


async def test_an_older_layout_is_brought_up_to_date(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await open_store(url)
    await store.add(finished_of(entry([("ann", 1), ("bob", 2)])))
    await store.close()
    monkeypatch.setattr(opening, "LAYOUT", LAYOUT + 1)
    monkeypatch.setitem(STEPS, LAYOUT, ("ALTER TABLE results ADD COLUMN remark TEXT",))
    for _ in range(2):  # the second time there is nothing to do
        store = await open_store(url)
        [(result, _)] = await store.load([1])
        assert result.match
        await store.close()
    with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
        assert file.execute("SELECT remark FROM results").fetchall() == [(None,)]
        assert file.execute("SELECT layout FROM results_ledger").fetchall() == [(LAYOUT + 1,)]
    file.close()


async def test_a_newer_layout_is_refused(url: str) -> None:
    store = await open_store(url)
    await store.close()
    with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
        file.execute(f"UPDATE results_ledger SET layout = {LAYOUT + 1}")  # noqa: S608 - a number of ours
    file.close()
    with pytest.raises(CannotStart, match="newer"):
        await open_store(url)


@pytest.mark.parametrize("wrong", ["nonsense", "mysql://host/db", "sqlite://", "sqlite:///:memory:"])
async def test_a_wrong_url_is_told_in_one_line(wrong: str) -> None:
    with pytest.raises(CannotStart) as why:
        await open_store(wrong)
    assert "\n" not in str(why.value)
    assert "STARPORT_RESULTS_URL" in str(why.value)


async def test_what_cannot_be_opened_is_told_in_one_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"this is no database" * 100)
    for url in (
        f"sqlite:///{tmp_path / 'no' / 'folder.db'}",
        f"sqlite:///{broken}",
        "postgresql://u:secret@127.0.0.1:1/x",
    ):
        with pytest.raises(CannotStart) as why:
            await open_store(url)
        assert "\n" not in str(why.value)
        assert "secret" not in str(why.value)


async def test_a_lost_database_is_told_apart_from_a_bug() -> None:
    with pytest.raises(DatabaseDown, match="gone"):
        async with answering():
            raise ConnectionResetError("gone")
    with pytest.raises(DatabaseDown, match="gone"):
        async with answering():
            raise DBAPIError("SELECT secret", {}, Exception("gone"))


def test_the_tables_can_be_written_for_postgresql() -> None:
    """No server of it is at hand here; this much can be known without one."""
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table in metadata.sorted_tables:
        statements: list[CreateTable | CreateIndex] = [CreateTable(table), *map(CreateIndex, table.indexes)]
        text = "\n".join(str(statement.compile(dialect=dialect)) for statement in statements)
        assert f"CREATE TABLE {table.name}" in text
        assert "SERIAL" not in text
