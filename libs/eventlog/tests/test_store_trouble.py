"""What callers hear when the store is away, slow, or has forgotten its scripts."""

import asyncio
import contextlib
from pathlib import Path

import pytest

from libs.eventlog.tests.stores import PARTITIONS, Store, match_in
from starport_eventlog import RedisLog, StoreDown, open_log
from starport_eventlog import writer as writer_module
from starport_eventlog.limits import APPENDS_PER_BATCH_MAX, BATCH_BYTES_MAX
from starport_eventlog.writer import Arguments, BatchingWriter


async def test_a_store_that_is_not_there_is_store_down(tmp_path: Path) -> None:
    for url in (f"unix://{tmp_path}/nobody.sock", "redis://127.0.0.1:1", "redis+cluster://127.0.0.1:1"):
        log = open_log(url, PARTITIONS)
        with pytest.raises(StoreDown):
            await log.append(match_in(0), 1, b"", bus=None)
        with pytest.raises(StoreDown):
            await log.read(match_in(0))
        with pytest.raises(StoreDown):
            await log.due("00", 1, 1)
        await log.close()


async def test_a_closed_log_takes_nothing(server: Store) -> None:
    log = server.open()
    await log.close()
    with pytest.raises(StoreDown, match="closed"):
        await log.append(match_in(0), 1, b"", bus=None)


async def test_an_append_with_a_lost_answer_is_found_by_reading(server: Store) -> None:
    """Connections die all the time: no append is lost that was promised, none is there twice, the log says what was."""
    log = server.open()
    matches = [match_in(n % PARTITIONS) for n in range(8)]

    async def read(match: str, after: int) -> list[bytes]:
        while True:
            with contextlib.suppress(StoreDown):
                return await log.read(match, after)

    async def write(match: str) -> list[bytes]:
        kept: list[bytes] = []
        tries = 0
        while len(kept) < 60:
            tries += 1
            record = b"%d/%d" % (len(kept) + 1, tries)
            try:
                assert await log.append(match, len(kept) + 1, record, bus=record), "nobody else writes here"
                kept.append(record)
            except StoreDown:
                kept += await read(match, len(kept))
        return kept

    async def disturb() -> None:
        while True:
            await asyncio.sleep(0.02)
            server.drop_connections()

    disturbing = asyncio.create_task(disturb())
    written = await asyncio.gather(*(write(match) for match in matches))
    disturbing.cancel()
    await asyncio.wait([disturbing])
    for match, kept in zip(matches, written, strict=True):
        assert await read(match, 0) == kept


async def test_a_server_that_forgot_the_script_is_told_it_again(server: Store) -> None:
    log = server.open()
    matches = [match_in(n % PARTITIONS) for n in range(20)]
    for version in (1, 2, 3):
        server.on_all_nodes("SCRIPT", "FLUSH")
        assert all(await asyncio.gather(*(log.append(match, version, b"", bus=None) for match in matches)))


async def test_a_silent_store_is_given_up_after_a_bounded_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "CALL_WAIT_S", 0.2)
    silent = await asyncio.start_server(lambda _reader, writer: _hold(writer), "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    log = RedisLog(f"redis://127.0.0.1:{port}", PARTITIONS)
    loop = asyncio.get_running_loop()
    begin = loop.time()
    answers = await asyncio.gather(
        *(log.append(match_in(0), 1, b"", bus=None) for _ in range(300)), return_exceptions=True
    )
    assert all(isinstance(answer, StoreDown) for answer in answers)
    assert loop.time() - begin < 1
    await log.close()
    silent.close()
    for writer in _HELD:
        writer.close()
    _HELD.clear()


_HELD: list[asyncio.StreamWriter] = []


async def _hold(writer: asyncio.StreamWriter) -> None:
    _HELD.append(writer)


async def test_appends_that_wait_together_go_together_and_the_queue_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer_module, "APPENDS_WAITING_MAX", 300)
    batches: list[int] = []
    go = asyncio.Event()

    async def send(appends: "list[Arguments]") -> list[bool | StoreDown]:
        batches.append(len(appends))
        await go.wait()
        return [True] * len(appends)

    writer = BatchingWriter(send)  # type: ignore[arg-type]
    waiting = [asyncio.create_task(writer.append((n,), 1)) for n in range(300)]
    await asyncio.sleep(0)
    waiting[5].cancel()
    await asyncio.sleep(0)
    more = [asyncio.create_task(writer.append((n,), 1)) for n in range(400)]
    await asyncio.sleep(0.01)
    go.set()
    answers = await asyncio.gather(*waiting, *more, return_exceptions=True)
    assert sum(isinstance(answer, StoreDown) for answer in answers) > 0
    assert max(batches) == APPENDS_PER_BATCH_MAX
    assert sum(batches) == sum(answer is True for answer in answers)
    await writer.close()


async def test_big_appends_do_not_share_one_batch() -> None:
    sizes: list[int] = []

    async def send(appends: "list[Arguments]") -> list[bool | StoreDown]:
        sizes.append(len(appends))
        return [True] * len(appends)

    writer = BatchingWriter(send)  # type: ignore[arg-type]
    assert all(await asyncio.gather(*(writer.append((n,), BATCH_BYTES_MAX // 2) for n in range(6))))
    assert sizes == [2, 2, 2]


@pytest.mark.parametrize("url", ["", "http://x", "redis", "memory", "redis://x:notaport"])
def test_a_bad_url_is_one_clear_line(url: str) -> None:
    with pytest.raises(ValueError, match="store url"):
        open_log(url, PARTITIONS)
