"""What a move costs through the rules service, beside its floor: `make bench-services`.

The floor is measured in the same run: a bare grpc.aio server whose only work is to append the same bytes with the same
script to the same store, by one call of redis-py for each. A second, lower floor does it with our own writer, which
sends waiting appends together: what is left between it and Play is the rules service's own work. Servers run in
processes of their own, the client in this one; rounds are interleaved and the median counts, because a shared machine
is noisy. Moves are scripted beforehand from known positions, so that the client does not compute while it measures.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
from redis.asyncio import Redis

from starport.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from starport_chassis import ServiceTokens, TokenSigner
from starport_eventlog import EmbeddedStore, new_match_id, open_log
from starport_eventlog.ids import bus_key, clocks_key, log_key
from starport_eventlog.limits import BUS_ENTRIES_HARD_MAX
from starport_eventlog.link import Script as StoreScript
from starport_games import registry
from starport_games.kernel.deal import Deal, key_of_words
from starport_games.workers import progress
from starport_rules.keys import KEYS_HASH
from starport_rules.match import decision_name
from starport_wire.codec import make_options, open_codec
from tests.harness.rules import SERVICE_KEY, new_signer, plans_for

PARTITIONS = 4
IN_FLIGHT = 64
START_WAIT_S = 30.0
ROUNDS = 5
SINGLE = "one by one"
MANY = f"{IN_FLIGHT} in flight"


@dataclass(frozen=True)
class Script:
    """A match from a known position with all its moves."""

    options: match_pb2.Options
    moves: list[tuple[int, match_pb2.Move]]


def scripted(number: int) -> Script:
    game = registry.find("wild-space")
    state = game.start(game.options({}), 2, Deal(key_of_words(f"bench {number}")))
    options = make_options("wild-space", 2, position=game.position_text(state))
    codec = open_codec(options)
    chance = random.Random(number)  # noqa: S311 - any moves will do
    moves: list[tuple[int, match_pb2.Move]] = []
    while not game.over(state):
        seat = game.deciders(state)[0].seat
        move = chance.choice(game.legal(state, seat))
        moves.append((seat, codec.encode_move(move)))
        game.step(state, seat, move)
    return Script(options, moves)


class Client:
    """The lobby's powers and prepared requests."""

    def __init__(self, channel: grpc.aio.Channel, signer: TokenSigner) -> None:
        self.stub: Any = rules_pb2_grpc.RulesServiceStub(channel)
        self.signer = signer
        self.services = ServiceTokens(SERVICE_KEY)

    async def prepare(self, script: Script) -> list[rules_pb2.PlayRequest]:
        """Start a match; all the requests that play it."""
        lobby = self.services.mint("lobby")
        match = (await self.stub.Prepare(rules_pb2.PrepareRequest(token=lobby))).match
        plans = plans_for(script.options, {})
        request = rules_pb2.StartRequest(token=lobby, match=match, options=script.options, seats=plans)
        await self.stub.Start(request)
        tokens = [self.signer.seat(match, seat, f"p{seat}") for seat in range(len(plans))]
        answered = [0] * len(plans)
        requests: list[rules_pb2.PlayRequest] = []
        for number, (seat, move) in enumerate(script.moves):
            requests.append(
                rules_pb2.PlayRequest(
                    token=tokens[seat],
                    match=match,
                    seat=seat,
                    command_id=f"c{number}",
                    decision_id=decision_name(match, seat, answered[seat]),
                    move=move,
                )
            )
            answered[seat] += 1
        return requests


@dataclass
class Sample:
    """Latencies of one round in seconds, how long it took in all, and the server's CPU time."""

    latencies: list[float]
    seconds: float
    cpu_s: float = 0.0

    @property
    def cpu_us(self) -> float:
        return self.cpu_s / len(self.latencies) * 1e6

    @property
    def p50_ms(self) -> float:
        return statistics.median(self.latencies) * 1000

    @property
    def p99_ms(self) -> float:
        return statistics.quantiles(self.latencies, n=100)[98] * 1000

    @property
    def per_second(self) -> float:
        return len(self.latencies) / self.seconds


Calls = Iterator[Callable[[], Awaitable[object]]]


async def one_by_one(calls: Calls) -> Sample:
    latencies: list[float] = []
    began = time.perf_counter()
    for call in calls:
        at = time.perf_counter()
        await call()
        latencies.append(time.perf_counter() - at)
    return Sample(latencies, time.perf_counter() - began)


async def in_flight(lanes: list[Calls]) -> Sample:
    """Every lane does one call after the other, all lanes at once."""
    began = time.perf_counter()
    samples = await asyncio.gather(*(one_by_one(lane) for lane in lanes))
    return Sample([latency for sample in samples for latency in sample.latencies], time.perf_counter() - began)


def plays(client: Client, requests: list[rules_pb2.PlayRequest]) -> Calls:
    for request in requests:
        yield lambda request=request: client.stub.Play(request)  # type: ignore[misc]


def floors(call: Any, match: str, requests: list[rules_pb2.PlayRequest]) -> Calls:
    for number, request in enumerate(requests, 1):
        body = rules_pb2.PlayRequest()
        body.CopyFrom(request)
        body.match, body.command_id = match, str(number)
        yield lambda body=body: call(body)  # type: ignore[misc]


async def session(client: Client, matches: list[list[rules_pb2.PlayRequest]]) -> Sample:
    """All matches on one stream; a move goes out as soon as the one before it was accepted."""
    ahead = [iter(requests) for requests in matches]
    where = {requests[0].match: i for i, requests in enumerate(matches)}
    outgoing: asyncio.Queue[list[rules_pb2.Command] | None] = asyncio.Queue()
    left = sum(len(requests) for requests in matches)
    sent: dict[str, float] = {}
    latencies: list[float] = []

    async def commands() -> AsyncIterator[rules_pb2.SessionRequest]:
        while (batch := await outgoing.get()) is not None:
            yield rules_pb2.SessionRequest(commands=batch)

    def following(indexes: list[int]) -> list[rules_pb2.Command]:
        batch: list[rules_pb2.Command] = []
        for i in indexes:
            request = next(ahead[i], None)
            if request is not None:
                sent[request.match] = time.perf_counter()
                batch.append(rules_pb2.Command(play=request))
        return batch

    began = time.perf_counter()
    outgoing.put_nowait(following(list(range(len(matches)))))
    async for response in client.stub.Session(commands()):
        done: list[int] = []
        for event in response.events:
            if event.HasField("rejected"):
                raise SystemExit(f"bench: a move was rejected: {event.rejected}")
            if event.HasField("accepted"):
                latencies.append(time.perf_counter() - sent[event.accepted.match])
                done.append(where[event.accepted.match])
        left -= len(done)
        if left == 0:
            outgoing.put_nowait(None)
        elif batch := following(done):
            outgoing.put_nowait(batch)
    return Sample(latencies, time.perf_counter() - began)


# -- the servers


async def serve_floor(store: str) -> None:
    """Both floors: an echo that appends. Prints its port."""
    log = open_log(store, PARTITIONS)
    redis = Redis.from_url(store)
    script = redis.register_script(StoreScript("append.lua").text)
    reply = rules_pb2.PlayResponse(update=match_pb2.Update(number=1))

    async def plain(request: rules_pb2.PlayRequest, context: Any) -> rules_pb2.PlayResponse:
        match, version, bus = request.match, int(request.command_id), b"x" * 40
        keys = [log_key(match), bus_key(match[:2]), clocks_key(match[:2])]
        data = request.SerializeToString()
        await script(keys, [version, data, match, bus, "1", "", "", BUS_ENTRIES_HARD_MAX])
        return reply

    async def batched(request: rules_pb2.PlayRequest, context: Any) -> rules_pb2.PlayResponse:
        await log.append(request.match, int(request.command_id), request.SerializeToString(), bus=b"x" * 40)
        return reply

    server = grpc.aio.server()
    handlers = {
        name: grpc.unary_unary_rpc_method_handler(
            call, rules_pb2.PlayRequest.FromString, rules_pb2.PlayResponse.SerializeToString
        )
        for name, call in (("Plain", plain), ("Batched", batched))
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Floor", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await server.wait_for_termination()


@contextlib.asynccontextmanager
async def process(*command: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        env=os.environ | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        started.terminate()
        await started.wait()


async def first_line(started: asyncio.subprocess.Process) -> str:
    if started.stdout is None:
        raise RuntimeError("no output")
    return (await asyncio.wait_for(started.stdout.readline(), START_WAIT_S)).decode().strip()


def memory_mib(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def cpu_s(pid: int) -> float:
    """CPU time that a process has used: steadier than a clock where others use the machine too."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def charged(pid: int, run: Awaitable[Sample]) -> Sample:
    before = cpu_s(pid)
    sample = await run
    sample.cpu_s = cpu_s(pid) - before
    return sample


def free_port() -> int:
    import socket  # noqa: PLC0415 - only here

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# -- the run


@dataclass
class Line:
    """All rounds of one candidate; medians count."""

    name: str
    samples: list[Sample]

    def median(self, of: Callable[[Sample], float]) -> float:
        return statistics.median(of(sample) for sample in self.samples)

    @property
    def p50_ms(self) -> float:
        return self.median(lambda sample: sample.p50_ms)

    @property
    def per_second(self) -> float:
        return self.median(lambda sample: sample.per_second)


def row(line: Line) -> str:
    p99, cpu = line.median(lambda sample: sample.p99_ms), line.median(lambda sample: sample.cpu_us)
    return f"| {line.name} | {line.p50_ms:.2f} | {p99:.2f} | {line.per_second:,.0f} | {cpu:.0f} |"


NAMES = ("floor", "floor with our writer", "Play")


async def measure(client: Client, floor: Floor, pids: tuple[int, int], rounds: int, matches: int) -> dict[str, Line]:
    """Rounds of all candidates, interleaved. `pids` are the floor's server and the rules service."""
    lines = {f"{name}, {how}": Line(f"{name}, {how}", []) for how in (SINGLE, MANY) for name in NAMES}
    lines["Session"] = Line(f"Session, {IN_FLIGHT} matches", [])
    low, high = pids
    number = 0

    async def prepared(count: int) -> list[list[rules_pb2.PlayRequest]]:
        nonlocal number
        number += count
        return [await client.prepare(scripted(i)) for i in range(number - count, number)]

    def floor_lane(method: str, requests: list[rules_pb2.PlayRequest]) -> Calls:
        return floors(floor.call(method), new_match_id(PARTITIONS), requests)

    async def add(name: str, pid: int, run: Awaitable[Sample]) -> None:
        lines[name].samples.append(await charged(pid, run))

    for done in range(rounds):
        progress(f"round {done + 1} of {rounds}")
        single = [request for requests in await prepared(matches) for request in requests]
        many = await prepared(IN_FLIGHT)
        for method, name in (("Plain", NAMES[0]), ("Batched", NAMES[1])):
            await add(f"{name}, {SINGLE}", low, one_by_one(floor_lane(method, single)))
            await add(f"{name}, {MANY}", low, in_flight([floor_lane(method, requests) for requests in many]))
        await add(f"Play, {SINGLE}", high, one_by_one(plays(client, single)))
        await add(f"Play, {MANY}", high, in_flight([plays(client, requests) for requests in many]))
        await add("Session", high, session(client, await prepared(IN_FLIGHT)))
    progress("")
    return lines


async def memory(client: Client, pid: int, count: int) -> str:
    script = scripted(0)
    before = memory_mib(pid)
    for i in range(count):
        progress(f"memory: match {i + 1} of {count}")
        requests = await client.prepare(script)
        for request in requests[:40]:
            await client.stub.Play(request)
    progress("")
    grown = memory_mib(pid) - before
    each = f"{grown * 1024 / count:.0f} KiB a match"
    return f"memory of rules: {before:.0f} MiB, and {grown:.1f} MiB more with {count} matches of 40 moves ({each})"


async def run(rounds: int, matches: int, idle: int) -> None:
    signer = new_signer()
    with tempfile.TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder))
        url = await store.start()
        try:
            await publish(url, signer)
            port = free_port()
            rules = process(
                "-m",
                "starport_rules",
                STARPORT_STORE_URL=url,
                STARPORT_PORT=str(port),
                STARPORT_SERVICE_KEY=SERVICE_KEY.get_secret_value(),
                STARPORT_PARTITIONS=str(PARTITIONS),
                STARPORT_LOG_LEVEL="warning",
            )
            async with process("-m", "tests.bench.services", "--floor", url) as floor, rules as served:
                await report(int(await first_line(floor)), port, (floor.pid, served.pid), signer, rounds, matches, idle)
        finally:
            await store.stop()


async def publish(url: str, signer: TokenSigner) -> None:
    async with Redis.from_url(url) as redis:
        await redis.hset(KEYS_HASH, signer.kid, signer.public_pem.decode())


@dataclass(frozen=True)
class Floor:
    """The floor's server."""

    channel: grpc.aio.Channel

    def call(self, method: str) -> Any:
        return self.channel.unary_unary(
            f"/bench.Floor/{method}",
            request_serializer=rules_pb2.PlayRequest.SerializeToString,
            response_deserializer=rules_pb2.PlayResponse.FromString,
        )


async def report(
    floor_port: int, port: int, pids: tuple[int, int], signer: TokenSigner, rounds: int, matches: int, idle: int
) -> None:
    async with (
        grpc.aio.insecure_channel(f"127.0.0.1:{floor_port}") as floor_channel,
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        await asyncio.wait_for(channel.channel_ready(), START_WAIT_S)
        client = Client(channel, signer)
        lines = await measure(client, Floor(floor_channel), pids, rounds, matches)
        head = ("| | p50 ms | p99 ms | calls/s | server CPU µs |", "|---|---:|---:|---:|---:|")
        print(*head, *map(row, lines.values()), "", sep="\n")
        for floor in NAMES[:2]:
            p50 = lines[f"Play, {SINGLE}"].p50_ms / lines[f"{floor}, {SINGLE}"].p50_ms
            rate = lines[f"Play, {MANY}"].per_second / lines[f"{floor}, {MANY}"].per_second
            print(f"Play against the {floor}: p50 {p50:.2f} ×, throughput with {MANY} {rate:.2f} ×")
        print(
            f"Session against Play: throughput {lines['Session'].per_second / lines[f'Play, {MANY}'].per_second:.2f} ×"
        )
        print(await memory(client, pids[1], idle))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.services", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="interleaved rounds; the median counts")
    parser.add_argument("--matches", type=int, default=4, help="matches played one by one in a round")
    parser.add_argument("--idle", type=int, default=1000, help="matches for the measurement of memory")
    parser.add_argument("--floor", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.floor:
        asyncio.run(serve_floor(arguments.floor))
    else:
        asyncio.run(run(arguments.rounds, arguments.matches, arguments.idle))


if __name__ == "__main__":
    main()
