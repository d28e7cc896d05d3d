"""The lobby as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest

from services.lobby.tests.house import SERVICE_KEY, Status, refused
from starport.v1 import lobby_pb2 as pb
from starport.v1 import lobby_pb2_grpc

COMMAND = [sys.executable, "-m", "starport_lobby"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    given = {
        "STARPORT_STORE_URL": "memory://",
        "STARPORT_SERVICE_KEY": SERVICE_KEY,
        "STARPORT_TOKEN_KEY_FILE": str(folder / "key.pem"),
        "STARPORT_RULES_ADDRESS": "127.0.0.1:1",
        "STARPORT_LOG_FORMAT": "json",
        **more,
    }
    return {**{name: value for name, value in os.environ.items() if not name.startswith("STARPORT_")}, **given}


def test_help_lists_the_settings() -> None:
    told = subprocess.run([*COMMAND, "--help"], check=True, capture_output=True, text=True).stdout
    for name in ("STORE_URL", "RULES_ADDRESS", "PLAYER_TOKEN_S", "SEAT_TOKEN_S", "TABLES_MAX", "TABLES_PER_PLAYER_MAX"):
        assert f"STARPORT_{name} " in told


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("STORE_URL", "http://x", "STARPORT_STORE_URL must begin with"),
        ("STORE_URL", "redis://127.0.0.1:1", "STARPORT_STORE_URL: the store does not answer"),
        ("STORE_URL", "redis://x:y:z/q", "STARPORT_STORE_URL cannot be used"),
        ("SERVICE_KEY", "short", "STARPORT_SERVICE_KEY"),
        ("TABLES_MAX", "0", "STARPORT_TABLES_MAX"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(tmp_path: Path, variable: str, value: str, says: str) -> None:
    wrong = environment(tmp_path, **{f"STARPORT_{variable}": value})
    done = subprocess.run(COMMAND, env=wrong, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode in (1, 2)
    assert says in done.stderr.strip().splitlines()[-1]
    assert "Traceback" not in done.stderr


def launched(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A lobby and its port."""
    log = folder / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(COMMAND, env=environment(folder), stdout=out, stderr=out)
    while (found := re.search(r'"port": ?(\d+)', log.read_text(encoding="utf-8"))) is None:
        assert process.poll() is None, log.read_text(encoding="utf-8")
        time.sleep(0.05)
    return process, found.group(1)


async def test_it_serves_until_told_to_stop(tmp_path: Path) -> None:
    process, port = launched(tmp_path)
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            stub = lobby_pb2_grpc.LobbyServiceStub(channel)
            guest = await stub.CreateGuest(pb.CreateGuestRequest(name="Ada"))
            assert guest.player.name == "Ada"
            async with refused(Status.INVALID_ARGUMENT, "MALFORMED"):
                await stub.CreateTable(pb.CreateTableRequest(token=guest.token))
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600
