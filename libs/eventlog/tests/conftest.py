"""One suite over every store: the twin in memory, embedded Valkey, Redis in a container, a Redis Cluster of three."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from libs.eventlog.tests.stores import Eventually, Log, Store, cluster, containers, embedded

EVENTUALLY_S = 15.0


@pytest.fixture(scope="session")
def memory_store() -> Store:
    return Store("memory://", [])


@pytest.fixture(scope="session")
def embedded_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with embedded(tmp_path_factory.mktemp("store")) as store:
        yield store


@pytest.fixture(scope="session")
def container_store() -> Iterator[Store]:
    with containers(1) as urls:
        yield Store(urls[0], urls)


@pytest.fixture(scope="session")
def cluster_store() -> Iterator[Store]:
    with cluster() as store:
        yield store


@pytest.fixture(params=["memory", "embedded", "container", "cluster"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    found: Store = request.getfixturevalue(f"{request.param}_store")
    found.flush()
    yield found
    await found.end_test()


@pytest.fixture(params=["embedded", "container", "cluster"])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """For what only a server can suffer."""
    found: Store = request.getfixturevalue(f"{request.param}_store")
    found.flush()
    yield found
    await found.end_test()


@pytest.fixture
def log(store: Store) -> Log:
    return store.open()


@pytest.fixture
def eventually() -> Eventually:
    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(EVENTUALLY_S):
            while not condition():  # noqa: ASYNC110  # a condition of anything, not only of events
                await asyncio.sleep(0.01)

    return wait
