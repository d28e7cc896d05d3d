"""The data folder: one owner at a time, secrets for that owner only, and players who are remembered."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from starport_starport.folder import LOCAL, Account, DataFolder, FolderInUse, default_folder, joined
from starport_starport.problems import Problem
from starport_starport.world import Listening, open_world


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_where_it_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("STARPORT_DATA", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_folder() == tmp_path / ".local" / "share" / "starport"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert default_folder() == tmp_path / "xdg" / "starport"
    monkeypatch.setenv("STARPORT_DATA", str(tmp_path / "mine"))
    assert default_folder() == tmp_path / "mine"


async def test_secrets_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "data")
    async with open_world(folder) as world:
        running = folder.running()
        assert running is not None
        assert running.pid == os.getpid()
        assert running.address == world.address
    assert folder.running() is None
    folder.keep_account(LOCAL, Account("Ada", "key"))
    assert mode(folder.path) == 0o700
    for name in ("token-key.pem", "service-key", "accounts.json"):
        assert mode(folder.path / name) == 0o600, name
    assert folder.service_key() == folder.service_key()


def test_one_owner_at_a_time(tmp_path: Path) -> None:
    first, second = DataFolder(tmp_path), DataFolder(tmp_path)
    first.take()
    with pytest.raises(FolderInUse, match="in use by another Starport; stop it"):
        second.take()
    first.give_back()
    second.take()
    second.give_back()


def test_a_dead_server_is_no_server(tmp_path: Path) -> None:
    (tmp_path / "server.json").write_text(json.dumps({"pid": 2**22 + 1, "host": "127.0.0.1", "port": 1}))
    assert DataFolder(tmp_path).running() is None
    (tmp_path / "server.json").write_text("[]")
    assert DataFolder(tmp_path).running() is None


def test_a_broken_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "accounts.json").write_text("{")
    with pytest.raises(Problem, match="move it away"):
        DataFolder(tmp_path).account(LOCAL, None)
    (tmp_path / "service-key").write_text("short")
    with pytest.raises(Problem, match="not a whole key"):
        DataFolder(tmp_path).service_key()


def test_accounts_by_house_and_name(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert folder.account(LOCAL, None) is None
    ada, grace = Account("Ada", "1"), Account("Grace", "2")
    folder.keep_account(LOCAL, ada)
    folder.keep_account(LOCAL, grace)
    folder.keep_account("example.org:7070", Account("Ada", "3"))
    assert folder.account(LOCAL, None) == grace
    assert folder.account(LOCAL, "ADA") == ada
    assert folder.account("example.org:7070", None) == Account("Ada", "3")
    assert folder.account("example.org:7071", None) is None


async def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    async with open_world(DataFolder(tmp_path / "one")) as world:
        port = int(world.address.rpartition(":")[2])
        with pytest.raises(Problem, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"):
            async with open_world(DataFolder(tmp_path / "two"), Listening(port=port)):
                pass
    async with open_world(DataFolder(tmp_path / "two"), Listening(port=port)):
        pass  # what could not start left nothing behind


def test_addresses() -> None:
    assert joined("127.0.0.1", 1) == "127.0.0.1:1"
    assert joined("::1", 1) == "[::1]:1"
