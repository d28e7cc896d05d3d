"""`python -m starport_chassis.healthcheck`: asks the service on this machine for its health; for containers.

Exit code 0 when it serves, 1 when it does not, 2 when a setting is wrong. The address is that of the service's own
settings: STARPORT_HOST and STARPORT_PORT, or --host and --port.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]  # has no types

from .settings import CannotStart, Settings, load

ANSWER_S = 2.0
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where a wildcard is reached from here


class HealthSettings(Settings):
    """Asks the service on this machine for its health."""


def main(arguments: Sequence[str]) -> int:
    try:
        settings = load(HealthSettings, arguments)
    except CannotStart as problem:
        return _say(str(problem), problem.exit_code)
    if not settings.port:
        return _say("STARPORT_PORT: a service on a free port cannot be found; give it one", 2)
    host = settings.host.strip("[]")
    host = ANYWHERE.get(host, host)
    return check(f"[{host}]:{settings.port}" if ":" in host else f"{host}:{settings.port}")


def check(address: str) -> int:
    """0 when the server as a whole serves."""
    # A proxy of the environment is for the world outside, not for this machine.
    with grpc.insecure_channel(address, (("grpc.enable_http_proxy", 0),)) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=ANSWER_S)
        except grpc.RpcError as error:
            return _say(f"{address} does not answer: {error.code().name}", 1)
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)
    return _say(status, 0 if status == "SERVING" else 1)


def _say(line: str, exit_code: int) -> int:
    sys.stdout.write(f"healthcheck: {line}\n")
    return exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
