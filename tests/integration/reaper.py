"""Removes everything of a compose project, and the images named, when the process that started it is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

STEP_S = 120.0


def docker(*arguments: str) -> list[str]:
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, timeout=STEP_S, check=False)  # noqa: S607
    return done.stdout.split()


def reap(project: str, images: list[str]) -> None:
    label = f"label=com.docker.compose.project={project}"
    for listing, removing in (
        (("ps", "--all", "--quiet"), ("rm", "--force", "--volumes")),
        (("network", "ls", "--quiet"), ("network", "rm")),
        (("volume", "ls", "--quiet"), ("volume", "rm", "--force")),
    ):
        found = docker(*listing, "--filter", label)
        if found:
            docker(*removing, *found)
    docker("image", "rm", *images)  # the build cache stays, so the next run is quick


if __name__ == "__main__":
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.read()  # ends when its writer does
    os.killpg(0, signal.SIGTERM)  # a build or a start that is still under way would only make more
    reap(sys.argv[1], sys.argv[2:])
