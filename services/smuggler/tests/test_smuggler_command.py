"""The command: its help, and what it says when it cannot start."""

from __future__ import annotations

import subprocess
import sys


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "starport_smuggler", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_help_names_the_settings() -> None:
    done = run("--help")
    assert done.returncode == 0
    for name in ("RULES_ADDRESS", "THINK_MS", "TURNS_MAX", "CONSUMER_NAME", "TAKEOVER_S", "STORE_URL"):
        assert f"STARPORT_{name}" in done.stdout


def test_a_missing_service_key_is_one_line() -> None:
    done = run("--store-url", "memory://")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "STARPORT_SERVICE_KEY" in done.stderr
