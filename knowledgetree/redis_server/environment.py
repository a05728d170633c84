"""Django's caches and the queue's broker, with and without a Redis server."""

from typing import Any

_MEMORY = "django.core.cache.backends.locmem.LocMemCache"


def caches_of(redis_url: str) -> dict[str, Any]:
    """The value of `CACHES`. Without `redis_url` each process keeps its own."""
    return {
        "default": _shared(redis_url, "default") if redis_url else {"BACKEND": _MEMORY},
        "results": _shared(redis_url, "results")
        if redis_url
        else {"BACKEND": _MEMORY, "LOCATION": "results", "OPTIONS": {"MAX_ENTRIES": 2000}},
        # Pages of PDF files, 0.1–0.4 MB each; in the memory of each process, so that an erased document leaves nothing
        # on a disk, to which a Redis server may write what it holds.
        "pictures": {"BACKEND": _MEMORY, "LOCATION": "pictures", "OPTIONS": {"MAX_ENTRIES": 200}},
    }


def broker_of(redis_url: str) -> dict[str, str]:
    """What of `Q_CLUSTER` says where tasks wait."""
    table = {"orm": "default"}
    return table | {"broker_class": "knowledgetree.redis_server.queue.RedisQueue"} if redis_url else table


def _shared(url: str, name: str) -> dict[str, Any]:
    return {
        "BACKEND": "knowledgetree.redis_server.cache.SharedCache",
        "LOCATION": url,
        "KEY_PREFIX": f"knowledgetree:{name}",
    }
