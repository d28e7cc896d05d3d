"""The command: its help, and what it says when it cannot start."""

from __future__ import annotations

import subprocess
import sys


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "starport_scoring", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_help_names_the_settings() -> None:
    done = run("--help")
    assert done.returncode == 0
    for name in ("RESULTS_URL", "MATCHES_MIN", "CONSUMER_NAME", "TAKEOVER_S", "STORE_URL"):
        assert f"STARPORT_{name}" in done.stdout


def test_a_wrong_database_is_one_line() -> None:
    done = run("--store-url", "memory://", "--results-url", "mysql://host/db")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "STARPORT_RESULTS_URL" in done.stderr
