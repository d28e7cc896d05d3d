"""Public keys of the lobby, which lie in the store: whoever can write there owns the logs anyway."""

from __future__ import annotations

from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.exceptions import RedisError

from starport_eventlog import StoreDown

KEYS_HASH = "{starport}:token-keys"
CLUSTER_SCHEME = "redis+cluster://"
WAIT_S = 2.0


class StoredKeys:
    """A KeySource of the chassis: the public key of a key id."""

    def __init__(self, url: str) -> None:
        self._client: Redis | RedisCluster
        if url.startswith(CLUSTER_SCHEME):
            self._client = RedisCluster.from_url("redis://" + url.removeprefix(CLUSTER_SCHEME), socket_timeout=WAIT_S)
        else:
            self._client = Redis.from_url(url, socket_timeout=WAIT_S, socket_connect_timeout=WAIT_S)

    async def __call__(self, kid: str) -> bytes | None:
        try:
            found = await self._client.hget(KEYS_HASH, kid)
        except (RedisError, OSError) as error:
            raise StoreDown(f"the store does not answer: {error}") from error
        return found.encode() if isinstance(found, str) else found

    async def close(self) -> None:
        await self._client.aclose()
