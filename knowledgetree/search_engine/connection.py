"""The way to Qdrant: asked with a deadline, left alone while it fails, its errors in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from knowledgetree.circuit_breaker import CircuitBreaker
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.search_engine.configuration import SearchEngineSettings

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

_FAILURES, _SECONDS = 3, 30.0  # then a search no longer waits for it, and after so long one sees whether it is back


class EngineUnavailable(KnowledgeTreeError):
    """Qdrant does not answer, or not as it should. Searches go to PostgreSQL, changes wait in their table."""

    code = "search_engine_unavailable"
    status = 503
    retryable = True
    remedy = _("PostgreSQL searches meanwhile. Look at it: knowledgetree engine status")


class Engine:
    """Qdrant, whose collections have names that begin with `prefix`; one collection a generation."""

    def __init__(self, client: "QdrantClient", *, prefix: str) -> None:
        self._client = client
        self._prefix = prefix
        self._breaker = CircuitBreaker(failures=_FAILURES, seconds=_SECONDS, refusal=_left_alone)

    def collection(self, generation: int) -> str:
        return f"{self._prefix}-{generation}"

    @contextmanager
    def reach(self) -> Iterator["QdrantClient"]:
        """The client, for a request or a few. Raises EngineUnavailable, at once while it has just failed repeatedly."""
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        try:
            with self._breaker.watch(is_failure=lambda error: True):
                yield self._client
        except (
            ApiException,
            QdrantException,
            ValueError,
        ) as error:  # of what it does not have the client makes a ValueError
            message = _("The search engine does not answer as it should.")
            raise EngineUnavailable(message, detail=str(error).strip()[:500]) from error


@lru_cache(maxsize=4)
def connect(settings: SearchEngineSettings, *, writing: bool = False) -> Engine:
    """The engine of this process; nothing is asked yet. Raises EngineUnavailable where the client is not installed."""
    try:
        from qdrant_client import QdrantClient
    except ImportError as error:
        remedy = _("Install: pip install 'knowledgetree[qdrant]'")
        raise EngineUnavailable(_("The package qdrant-client is not installed."), remedy=remedy) from error
    seconds = settings.write_seconds if writing else settings.seconds
    client = QdrantClient(
        settings.url,
        api_key=settings.api_key or None,
        timeout=seconds,  # type: ignore[arg-type]  # fractions of a second reach the client's library as they are
        check_compatibility=False,  # it would ask when it is made
    )
    return Engine(client, prefix=settings.prefix)


def _left_alone(seconds: int) -> EngineUnavailable:
    message = _("The search engine has failed several times and is tried again in %(seconds)d s.")
    return EngineUnavailable(message % {"seconds": seconds})
