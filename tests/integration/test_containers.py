"""What the containers may do, what they show to the outside, and how they end."""

from __future__ import annotations

import pytest

from tests.integration.stack import SERVICES, Stack, run

pytestmark = pytest.mark.slow

STARPORT_USER = "10001:10001"
REDIS_USER = "999:999"


@pytest.mark.parametrize("service", [*SERVICES, "redis"])
def test_hardened_and_healthy(stack: Stack, service: str) -> None:
    for container in stack.containers(service):
        found = stack.inspect(container)
        limits = found["HostConfig"]
        assert found["Config"]["User"] == (REDIS_USER if service == "redis" else STARPORT_USER)
        assert found["State"]["Health"]["Status"] == "healthy"
        assert limits["ReadonlyRootfs"]
        assert limits["CapDrop"] == ["ALL"]
        assert not limits["CapAdd"]
        assert not limits["Privileged"]
        assert "no-new-privileges:true" in limits["SecurityOpt"]
        assert limits["Memory"] > 0
        assert limits["PidsLimit"] > 0
        assert limits["Init"]
        assert limits["RestartPolicy"]["Name"] == "unless-stopped"


@pytest.mark.parametrize("service", [*SERVICES, "redis"])
def test_nobody_is_root_and_nothing_can_be_written(stack: Stack, service: str) -> None:
    container = stack.containers(service)[0]
    assert stack.inside(container, "id", "-u").stdout.strip() in {"10001", "999"}
    processes = stack.inside(container, "sh", "-c", "cat /proc/[0-9]*/status").stdout
    uids = {line.split()[1] for line in processes.splitlines() if line.startswith("Uid:")}
    assert uids <= {"10001", "999"}
    capabilities = {line.split()[1] for line in processes.splitlines() if line.startswith("CapEff:")}
    assert capabilities == {"0" * 16}
    for path in ("/opt/service/new", "/etc/new", "/usr/local/bin/new"):
        assert stack.inside(container, "sh", "-c", f"echo > {path}").returncode != 0
    assert stack.inside(container, "sh", "-c", "echo > /tmp/new").returncode == 0


@pytest.mark.parametrize("service", SERVICES)
def test_an_image_holds_what_runs_and_no_more(stack: Stack, service: str) -> None:
    container = stack.containers(service)[0]
    for tool in ("gcc", "cc", "make"):
        assert stack.inside(container, "sh", "-c", f"command -v {tool}").returncode != 0
    script = (
        "import importlib.metadata as m, importlib.util as u, starport_games.wild_space.turn as t;"
        "print(*sorted(d.name for d in m.distributions()), t.__file__.rpartition('.')[2], u.find_spec('pytest'))"
    )
    *names, engine, pytest_there = stack.inside(container, "python", "-c", script).stdout.split()
    assert [name for name in SERVICES if f"starport-{name}" in names] == [service]
    assert engine == "so", "the engines of an image are compiled"
    assert pytest_there == "None"
    image = run("docker", "image", "inspect", stack.inspect(container)["Image"]).stdout
    history = run("docker", "history", "--no-trunc", stack.inspect(container)["Image"]).stdout
    for text in (image, history):
        assert stack.service_key not in text
        assert "SERVICE_KEY" not in text


def test_only_loopback_reaches_it_and_redis_not_even_that(stack: Stack) -> None:
    published = {}
    for service in (*SERVICES, "redis"):
        [container] = stack.containers(service)
        ports = stack.inspect(container)["NetworkSettings"]["Ports"]
        published[service] = [binding for bindings in ports.values() for binding in bindings or ()]
    assert {service for service, bindings in published.items() if bindings} == {"rules", "lobby", "scoring"}
    assert {binding["HostIp"] for bindings in published.values() for binding in bindings} == {"127.0.0.1"}
    [redis] = stack.containers("redis")
    assert list(stack.inspect(redis)["NetworkSettings"]["Networks"]) == [f"{stack.project}_store"]


@pytest.mark.parametrize("service", SERVICES)
def test_the_health_check_of_the_image(stack: Stack, service: str) -> None:
    container = stack.containers(service)[0]
    assert stack.inside(container, "python", "-m", "starport_chassis.healthcheck").stdout == "healthcheck: SERVING\n"
    assert stack.inside(container, "python", "-m", "starport_chassis.healthcheck", "--port", "1").returncode == 1


def test_stopping_is_graceful(stack: Stack) -> None:
    """SIGTERM reaches the service through the init process; it drains and ends with 0, the store as well."""
    containers = {service: stack.containers(service)[0] for service in (*SERVICES, "redis")}
    stack.compose("stop")
    codes = {service: stack.inspect(container)["State"]["ExitCode"] for service, container in containers.items()}
    stack.up()
    assert codes == dict.fromkeys(codes, 0)
