"""The whole house in one process: the store, every service, one gRPC port. What `up`, `play` and `demo` stand on."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import SecretStr

from starport.v1 import rules_pb2_grpc
from starport_chassis import CannotStart, Host, Refused, Service, Settings, TokenVerifier, dial
from starport_eventlog import EmbeddedStore, StoreDown, open_log
from starport_lobby.opening import open_store as open_lobby_store
from starport_lobby.service import build as build_lobby
from starport_lobby.settings import LobbySettings
from starport_rules.__main__ import translate
from starport_rules.keys import StoredKeys
from starport_rules.service import RulesService
from starport_rules.settings import RulesSettings
from starport_scoring.service import build as build_scoring
from starport_scoring.settings import ScoringSettings
from starport_smuggler.service import build as build_smuggler
from starport_smuggler.settings import SmugglerSettings
from starport_starport.folder import DataFolder, joined
from starport_starport.problems import Problem

PARTITIONS = 4  # of the embedded bus; match ids name their partition, so this never changes for a folder
CONSUMER = "starport"  # the same name after a restart goes on at once with what was left
DRAIN_S = 3.0
STREAM_DRAIN_S = 0.2
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "[::]": "::1"}  # noqa: S104 - where a wildcard is reached from here


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the house shall listen; port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 0
    metrics_port: int = 0


@dataclass(frozen=True, slots=True)
class World:
    """A running house."""

    address: str  # how it is reached from this machine
    listening: str  # what it was told to listen on, with the port
    service_key: SecretStr


@asynccontextmanager
async def open_world(folder: DataFolder, listening: Listening | None = None) -> AsyncIterator[World]:
    """Starts everything on this folder and stops it again, the store last. Problem says in one line why not."""
    wanted = listening or Listening()
    async with AsyncExitStack() as stack:
        folder.take()
        stack.callback(folder.give_back)
        try:
            yield await _open(stack, folder, wanted)
        except CannotStart as why:
            raise Problem(str(why), why.exit_code) from None
        except StoreDown as why:
            raise Problem(str(why)) from None


async def _open(stack: AsyncExitStack, folder: DataFolder, wanted: Listening) -> World:
    store = EmbeddedStore(folder.store)
    url = await store.start()
    stack.push_async_callback(store.stop)
    service_key = SecretStr(folder.service_key())
    reach = ANYWHERE.get(wanted.host, wanted.host)
    port = stack.enter_context(_reserved(wanted))
    given: dict[str, Any] = {
        "host": wanted.host,
        "port": port,
        "metrics_port": wanted.metrics_port,
        "store_url": url,
        "partitions": PARTITIONS,
        "service_key": service_key,
        "token_key_file": folder.token_key,
        "drain_s": DRAIN_S,
        "stream_drain_s": STREAM_DRAIN_S,
    }
    address = joined(reach, port)
    services = await _services(stack, folder, given, address)
    host = Host(Settings(**given), services, translate)
    stack.push_async_callback(host.stop)
    await host.start()
    folder.tell_running(reach, host.port)
    return World(address, joined(wanted.host, host.port), service_key)


async def _services(stack: AsyncExitStack, folder: DataFolder, given: dict[str, Any], address: str) -> list[Service]:
    """Every service, each with what it needs and no more; they reach each other through the port, as when apart."""
    eventlog = open_log(given["store_url"], PARTITIONS)
    stack.push_async_callback(eventlog.close)
    keys = StoredKeys(given["store_url"])
    stack.push_async_callback(keys.close)
    lobby_settings = LobbySettings(**given, rules_address=address, consumer_name=CONSUMER)
    lobby_store = open_lobby_store(lobby_settings)
    stack.push_async_callback(lobby_store.close)
    channel = await stack.enter_async_context(dial(address))
    stub = rules_pb2_grpc.RulesServiceStub(channel)

    rules = RulesService(RulesSettings(**given), eventlog, TokenVerifier(keys))
    try:
        lobby = await build_lobby(lobby_settings, lobby_store, stub, eventlog)
    except Refused as refused:
        raise Problem(refused.message) from None
    results = SecretStr(f"sqlite:///{folder.results}")
    scoring = await build_scoring(ScoringSettings(**given, results_url=results, consumer_name=CONSUMER), eventlog)
    stack.push_async_callback(scoring.store.close)  # also where the host never came to start it
    smuggler = await build_smuggler(
        SmugglerSettings(**given, rules_address=address, consumer_name=CONSUMER), eventlog, stub
    )
    return [rules, lobby, scoring, smuggler]


@contextmanager
def _reserved(wanted: Listening) -> Iterator[int]:
    """The port, held until the host listens there: services must know it before. A port that is taken is told here."""
    host = wanted.host.strip("[]")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            holder.bind((host, wanted.port))
        except OSError as why:
            where = joined(host, wanted.port) if wanted.port else host
            raise Problem(f"cannot listen on {where}: {why.strerror}; choose with --host and --port") from None
        yield int(holder.getsockname()[1])
