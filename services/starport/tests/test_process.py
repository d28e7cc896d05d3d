"""The command as a process of its own: signals, folders in use, and a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest

from services.starport.tests.hands import COMMAND, PROCESS_S, environment, server, starport, stores_in

PROMPT = b"h for help):"


@pytest.mark.slow
def test_up_stops_cleanly_and_finds_everything_again(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    address = ""
    for begun, signal_number in ((False, signal.SIGINT), (True, signal.SIGTERM)):
        with server(folder, address) as (process, address):
            play = starport("play", "--server", address, "--data", str(tmp_path / "mine"), typed="\n1\nq\n")
            assert play.returncode == 0, play.stderr
            assert ("unfinished match" in play.stdout) == begun
            assert stores_in(folder)
            process.send_signal(signal_number)
            assert process.wait(PROCESS_S) == 0
        assert stores_in(folder) == []
        assert "Traceback" not in (tmp_path / "up.log").read_text()
        assert not (folder / "server.json").exists()


@pytest.mark.slow
def test_a_second_one_on_the_same_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with server(folder) as (process, address):
        second = starport("up", "--data", str(folder))
        assert second.returncode == 1
        [line] = second.stderr.splitlines()
        assert line.startswith(
            f"starport: {folder} is in use by another Starport (process {process.pid}, on {address})"
        )
        play = starport("play", "--data", str(folder), typed="q\n")
        assert play.returncode == 0
        assert f"Using the Starport that runs on {address}." in play.stdout


@pytest.mark.slow
def test_after_a_crash(tmp_path: Path) -> None:
    """Nothing could be closed: the next start ends the old store and goes on with what it had."""
    folder = tmp_path / "data"
    with server(folder) as (process, address):
        assert starport("play", "--server", address, "--data", str(tmp_path / "mine"), typed="q\n").returncode == 0
        time.sleep(1.2)  # the store writes every second
        process.kill()
        process.wait(PROCESS_S)
    with server(folder, address) as (_, address):
        play = starport("play", "--server", address, "--data", str(tmp_path / "mine"), typed="\nq\n")
        assert "unfinished match" in play.stdout
    assert stores_in(folder) == []


class Pty:
    """A terminal with `starport` in it."""

    def __init__(self, *arguments: str, **more: str) -> None:
        self._main, child = pty.openpty()
        self.process = subprocess.Popen(
            (*COMMAND, *arguments),
            stdin=child,
            stdout=child,
            stderr=child,
            env=environment(TERM="xterm-256color", **more),
            start_new_session=True,
        )
        os.close(child)
        self.seen = b""

    def until(self, what: bytes) -> bytes:
        """What was printed up to and with these words, from the last look on."""
        deadline = time.monotonic() + PROCESS_S
        while what not in self.seen:
            assert time.monotonic() < deadline, self.seen.decode(errors="replace")
            if select.select([self._main], [], [], 0.1)[0]:
                self._read()
        got, _, self.seen = self.seen.partition(what)
        return got + what

    def _read(self) -> None:
        try:
            self.seen += os.read(self._main, 65536)
        except OSError:  # Linux says so when the other side has closed
            pytest.fail(f"the command ended: {self.seen.decode(errors='replace')}")

    def type(self, text: bytes) -> None:
        os.write(self._main, text)

    def close(self) -> int:
        code = self.process.wait(PROCESS_S)
        os.close(self._main)
        return code


def test_a_terminal_with_colours_and_control_c(tmp_path: Path) -> None:
    terminal = Pty("play", "--data", str(tmp_path / "data"), "--name", "Ada")
    screen = terminal.until(PROMPT)
    assert b"\x1b[" in screen
    terminal.type(b"1\n")
    assert "landed on" in terminal.until(PROMPT).decode()
    os.kill(terminal.process.pid, signal.SIGINT)
    terminal.until(b"The match waits for you")
    assert terminal.close() == 130
    assert stores_in(tmp_path) == []


def test_a_terminal_without_colours_and_its_end(tmp_path: Path) -> None:
    terminal = Pty("play", "--data", str(tmp_path / "data"), "--name", "Ada", NO_COLOR="1")
    screen = terminal.until(PROMPT)
    assert re.search(rb"\x1b\[[0-9;]*3[0-7]m", screen) is None
    terminal.type(b"\x04")  # Ctrl-D
    terminal.until(b"The match waits for you")
    assert terminal.close() == 0
    assert stores_in(tmp_path) == []


def test_a_pipe_gets_plain_text(tmp_path: Path) -> None:
    play = starport("play", "--data", str(tmp_path / "data"), "--game", "space-race", typed="1\n" * 100)
    assert play.returncode == 0, play.stderr
    assert play.stderr == ""
    assert "\x1b" not in play.stdout
    assert "Final score" in play.stdout
