"""Refusals: what a servicer raises to say no, as a gRPC status and a code that programs can read."""

from __future__ import annotations

import grpc

CODE_KEY = "starport-code"  # the trailing metadata that carries the code


class Refused(Exception):
    """A call is answered with this status, this code and one line for people; raised anywhere below a servicer."""

    def __init__(self, status: grpc.StatusCode, code: str, message: str) -> None:
        super().__init__(status, code, message)
        self.status = status
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def invalid(code: str, message: str) -> Refused:
    return Refused(grpc.StatusCode.INVALID_ARGUMENT, code, message)


def unauthenticated(code: str, message: str) -> Refused:
    return Refused(grpc.StatusCode.UNAUTHENTICATED, code, message)


def denied(code: str, message: str) -> Refused:
    return Refused(grpc.StatusCode.PERMISSION_DENIED, code, message)


def not_found(code: str, message: str) -> Refused:
    return Refused(grpc.StatusCode.NOT_FOUND, code, message)


def aborted(code: str, message: str) -> Refused:
    """Somebody was faster, or the question is no longer asked: look again, then perhaps try again."""
    return Refused(grpc.StatusCode.ABORTED, code, message)


stale = aborted


def failed(code: str, message: str) -> Refused:
    """Not possible in the present state; the codes of the rules travel this way."""
    return Refused(grpc.StatusCode.FAILED_PRECONDITION, code, message)


def exhausted(code: str, message: str) -> Refused:
    return Refused(grpc.StatusCode.RESOURCE_EXHAUSTED, code, message)


def unavailable(code: str, message: str) -> Refused:
    """Not now; the same call may work a little later."""
    return Refused(grpc.StatusCode.UNAVAILABLE, code, message)


def code_of(error: grpc.aio.AioRpcError) -> str:
    """For clients: the code of a refusal, or "" when the answer did not come from a servicer."""
    for key, value in error.trailing_metadata() or ():
        if key == CODE_KEY:
            return value if isinstance(value, str) else value.decode()
    return ""
