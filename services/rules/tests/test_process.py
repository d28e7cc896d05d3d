"""The service as its own process: keys from the store, help, and clear words when it cannot start."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import grpc
import pytest
from redis.asyncio import Redis

from starport.v1 import rules_pb2, rules_pb2_grpc
from starport_chassis import ServiceTokens
from starport_eventlog import StoreDown
from starport_rules.keys import KEYS_HASH, StoredKeys
from tests.harness.hands import play_on
from tests.harness.rules import SERVICE_KEY, House, new_signer


async def run(*arguments: str, **environment: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "starport_rules",
        *arguments,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    async with asyncio.timeout(20):
        output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_help_names_every_setting() -> None:
    code, said = await run("--help")
    assert code == 0
    for name in ("CACHE_MATCHES", "CLOCK_POLL_S", "ABSENT_AFTER", "HOUSE_WAIT_MS", "PREPARED_TTL_S"):
        assert f"STARPORT_{name}" in said


@pytest.mark.parametrize(
    ("url", "word"),
    [("nonsense", "STARPORT_STORE_URL"), ("memory://", "STARPORT_STORE_URL"), ("redis://[", "STARPORT_STORE_URL")],
)
async def test_a_store_url_that_cannot_be_used_is_one_line(url: str, word: str) -> None:
    code, said = await run(STARPORT_STORE_URL=url, STARPORT_SERVICE_KEY=SERVICE_KEY.get_secret_value())
    assert code == 1
    assert word in said
    assert "Traceback" not in said


async def test_public_keys_come_from_the_store(store_url: str) -> None:
    signer = new_signer()
    async with Redis.from_url(store_url) as client:
        await client.hset(KEYS_HASH, signer.kid, signer.public_pem)
    keys = StoredKeys(store_url)
    assert await keys(signer.kid) == signer.public_pem
    assert await keys("unknown") is None
    await keys.close()
    gone = StoredKeys("unix:///nowhere/store.sock")
    with pytest.raises(StoreDown):
        await gone(signer.kid)
    await gone.close()


async def test_a_match_through_the_process(store_url: str) -> None:
    signer = new_signer()
    async with Redis.from_url(store_url) as client:
        await client.flushall()
        await client.hset(KEYS_HASH, signer.kid, signer.public_pem)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "starport_rules",
        env={"STARPORT_STORE_URL": store_url, "STARPORT_SERVICE_KEY": SERVICE_KEY.get_secret_value()},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        port = await _port(process)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            house = _Remote(rules_pb2_grpc.RulesServiceStub(channel), signer)
            table = await house.start("space-race", 2)
            played = await play_on(house, table)
            assert played.last.HasField("ending")
            token = ServiceTokens(SERVICE_KEY).mint("lobby")
            assert (await house.stub.Prepare(rules_pb2.PrepareRequest(token=token))).match
    finally:
        process.terminate()
        await process.communicate()
    assert process.returncode == 0


class _Remote(House):
    """A house whose service is another process."""

    def __init__(self, stub: Any, signer: Any) -> None:
        self.stub, self.signer, self.services = stub, signer, ServiceTokens(SERVICE_KEY)


async def _port(process: Any) -> int:
    async with asyncio.timeout(20):
        while line := (await process.stderr.readline()).decode():
            if '"serving"' in line:
                return int(line.partition('"port": ')[2].partition(",")[0].partition("}")[0])
    raise AssertionError("it did not start")
