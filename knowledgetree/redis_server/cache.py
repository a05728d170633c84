"""Django's caches on the Redis server: what is missing is worked out, whatever it is missing for."""

import hashlib
import hmac
import pickle
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache

from knowledgetree.redis_server.connection import RedisAway, connection_options, redis_server

_SIGNATURE = hashlib.sha256().digest_size


class SignedSerializer:
    """A pickle is a program: one that we did not write ourselves is not read, so that whoever can write to Redis can
    not thereby run anything here. Raises ValueError of such a one.
    """

    def dumps(self, obj: Any) -> bytes:
        pickled = pickle.dumps(obj, pickle.HIGHEST_PROTOCOL)
        return _signature(pickled) + pickled

    def loads(self, data: bytes) -> Any:
        signature, pickled = data[:_SIGNATURE], data[_SIGNATURE:]
        if not hmac.compare_digest(signature, _signature(pickled)):
            raise ValueError("a kept value is not ours")
        return pickle.loads(pickled)  # noqa: S301 (we wrote it)


def _signature(pickled: bytes) -> bytes:
    return hmac.digest(f"knowledgetree.redis {settings.SECRET_KEY}".encode(), pickled, "sha256")


class SharedCache(RedisCache):
    """Nothing that it is asked raises: while the server is away it is empty and keeps nothing, and a value that another
    SECRET_KEY signed is not there.
    """

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {"serializer": SignedSerializer, **connection_options(), **params.get("OPTIONS", {})}
        super().__init__(server, {**params, "OPTIONS": options})
        self._server = redis_server(server)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            with self._server.missed():
                return super().get(key, default, version)
        except (RedisAway, ValueError):
            return default

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        with suppress(RedisAway), self._server.missed():
            super().set(key, value, timeout, version)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        try:
            with self._server.missed():
                return bool(super().add(key, value, timeout, version))
        except RedisAway:
            return False

    def delete(self, key: Any, version: int | None = None) -> bool:
        try:
            with self._server.missed():
                return bool(super().delete(key, version))
        except RedisAway:
            return False

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        found = ((key, self.get(key, self, version)) for key in keys)
        return {key: value for key, value in found if value is not self}

    def clear(self) -> None:
        with suppress(RedisAway), self._server.missed():
            super().clear()
