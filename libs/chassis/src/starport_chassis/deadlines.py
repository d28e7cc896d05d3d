"""Deadlines: all calls of a kind have the same one, so one timer for the oldest is enough.

A timer for each call (`asyncio.timeout`) would cost more than everything else that the guard does.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import grpc

from .refusals import Refused

Running = asyncio.Task[Any]


class Deadlines:
    """Cancels the tasks that take longer than `seconds`, and remembers why for whoever finds them cancelled."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ended: dict[Running, Refused] = {}
        self._loop = asyncio.get_running_loop()
        self._due: dict[Running, float] = {}  # oldest first, because all have the same time
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> Running:
        task = cast("Running", asyncio.current_task())
        due = self._due[task] = self._loop.time() + self._seconds
        if self._timer is None:
            self._timer = self._loop.call_at(due, self._look)
        return task

    def end(self, task: Running) -> Refused | None:
        """Why the task was cancelled, if it was. Called before its next wait: finished work is never cancelled."""
        self._due.pop(task, None)
        return self._ended.pop(task, None)

    def end_all(self, reason: Refused) -> None:
        for task in tuple(self._due):
            self._cancel(task, reason)

    def _look(self) -> None:
        self._timer = None
        now = self._loop.time()
        while self._due:
            task, due = next(iter(self._due.items()))
            if due > now:
                self._timer = self._loop.call_at(due, self._look)
                return
            reason = Refused(
                grpc.StatusCode.DEADLINE_EXCEEDED,
                "DEADLINE",
                f"this took more than {self._seconds:g} s and was given up",
            )
            self._cancel(task, reason)

    def _cancel(self, task: Running, reason: Refused) -> None:
        del self._due[task]
        self._ended[task] = reason
        task.cancel()
