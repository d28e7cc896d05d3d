"""Logs: JSON lines that parse, with what was bound, from structlog and from the standard library alike."""

from __future__ import annotations

import asyncio
import io
import logging
import warnings

import structlog

from libs.chassis.tests.conftest import Lines
from starport_chassis import Settings, configure_logging


def test_lines_carry_what_is_bound(logged: Lines) -> None:
    with structlog.contextvars.bound_contextvars(match="03abc", seat=2, version=17):
        structlog.get_logger().info("played", move="land")
    structlog.get_logger().info("after")
    played, after = logged.objects()
    assert played["event"] == "played"
    assert (played["match"], played["seat"], played["version"], played["move"]) == ("03abc", 2, 17, "land")
    assert (played["level"], played["timestamp"][-1]) == ("info", "Z")
    assert "match" not in after


async def test_what_one_call_binds_stays_with_it(logged: Lines) -> None:
    async def call(seat: int) -> None:
        structlog.contextvars.bind_contextvars(seat=seat)
        await asyncio.sleep(0)
        structlog.get_logger().info("moved", said=seat)

    await asyncio.gather(*(asyncio.create_task(call(seat)) for seat in range(3)))
    assert all(entry["seat"] == entry["said"] for entry in logged.objects())


def test_the_logging_of_libraries_goes_the_same_way(logged: Lines) -> None:
    with structlog.contextvars.bound_contextvars(match="03abc"):
        logging.getLogger("some.library").warning("lost %d of %d", 1, 2, extra={"peer": "x"})
    [entry] = logged.objects()
    assert entry["event"] == "lost 1 of 2"
    assert (entry["logger"], entry["level"], entry["match"], entry["peer"]) == ("some.library", "warning", "03abc", "x")


def test_exceptions_are_one_line_with_their_traceback(logged: Lines) -> None:
    try:
        raise ValueError("line one\nline two")
    except ValueError:
        structlog.get_logger().exception("ours")
        logging.getLogger("some.library").exception("theirs")
    ours, theirs = logged.objects()
    for entry in (ours, theirs):
        assert "Traceback" in entry["exception"]
        assert "line two" in entry["exception"]


def test_the_level_holds_for_both() -> None:
    lines = Lines()
    configure_logging(Settings(log_format="json", log_level="warning"), lines)
    structlog.get_logger().info("quiet")
    logging.getLogger("some.library").info("quiet")
    structlog.get_logger().warning("loud")
    logging.getLogger("some.library").warning("loud")
    assert lines.events() == ["loud", "loud"]


def test_odd_values_do_not_break_a_line(logged: Lines) -> None:
    structlog.get_logger().info("odd", value=object(), raw=b"\xff", nested={"a": {1, 2}})
    [entry] = logged.objects()
    assert entry["raw"] == "b'\\xff'"


def test_warnings_are_logged(logged: Lines) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        configure_logging(Settings(log_format="json"), logged)
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(False)
    assert "DeprecationWarning: old" in logged.objects()[0]["event"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_people_on_a_terminal_get_colours_and_files_do_not() -> None:
    for stream, coloured in ((Terminal(), True), (io.StringIO(), False)):
        configure_logging(Settings(log_format="console"), stream)
        structlog.get_logger().info("hello", seat=1)
        assert "hello" in stream.getvalue()
        assert ("\x1b[" in stream.getvalue()) is coloured


def test_auto_means_console_on_a_terminal_and_json_elsewhere() -> None:
    terminal, file = Terminal(), Lines()
    configure_logging(Settings(), terminal)
    structlog.get_logger().info("hello")
    configure_logging(Settings(), file)
    structlog.get_logger().info("hello")
    assert not terminal.getvalue().startswith("{")
    assert file.events() == ["hello"]
