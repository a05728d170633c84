"""What all clients of one server share in a process: how many may ask at once, and whether it is worth asking."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from knowledgetree.circuit_breaker import CircuitBreaker
from knowledgetree.language_models import LLMSettings
from knowledgetree.metrics.counters import LLM_FAILURES
from knowledgetree.tracing import span
from rag.errors import LLMError, LLMUnavailable
from rag.llm.failures import could_not_connect, was_late

CONNECT_SECONDS = 10.0
"""A server that takes longer to accept a connection is not there."""


class Provider:
    """At most `max_concurrent` requests at a time; see `knowledgetree.circuit_breaker` for the rest."""

    def __init__(self, *, max_concurrent: int, failures: int, seconds: float) -> None:
        self._places = threading.BoundedSemaphore(max_concurrent)
        self._breaker = CircuitBreaker(failures=failures, seconds=seconds, refusal=_left_alone)

    @contextmanager
    def request(self, *, model: str, timeout: float, hurried: bool = False) -> Iterator[None]:
        """Around one request to `model`; it raises LLMError. At most `timeout` seconds are waited for a place.

        `hurried`: it has less time than the settings give a request, so that being late proves nothing about a server
        which could be reached: a slow one that still answers questions must not be given up for its short steps.
        """

        def is_failure(error: Exception) -> bool | None:
            if not isinstance(error, LLMUnavailable):
                return False
            return True if not hurried or could_not_connect(error) or not was_late(error.__cause__) else None

        try:
            with _span_of(model), self._place(timeout), self._breaker.watch(is_failure=is_failure):
                yield
        except LLMError as error:
            LLM_FAILURES.labels(error.code).inc()
            raise

    @contextmanager
    def _place(self, timeout: float) -> Iterator[None]:
        self._breaker.check()
        if not self._places.acquire(timeout=max(0.0, timeout)):
            raise LLMUnavailable(_("Too many questions are being asked of the language model at once."))
        try:
            yield
        finally:
            self._places.release()


def _span_of(model: str) -> AbstractContextManager[object]:
    """By the names that OpenTelemetry has for calls of models; prompts and replies stay out of it."""
    return span(f"chat {model}", {"gen_ai.operation.name": "chat", "gen_ai.request.model": model}, kind="client")


def _left_alone(seconds: int) -> LLMUnavailable:
    return LLMUnavailable(
        _("The language model has failed several times and is not being asked."),
        remedy=_("It will be tried again in %(seconds)d s; the sources are shown below.") % {"seconds": seconds},
    )


def provider_of(settings: LLMSettings, address: str) -> Provider:
    """The one of this process for the server at `address`, within the limits of the settings."""
    return provider(
        address,
        max_concurrent=settings.max_concurrent,
        failures=settings.breaker_failures,
        seconds=settings.breaker_seconds,
    )


@lru_cache(maxsize=16)
def provider(base_url: str, *, max_concurrent: int = 16, failures: int = 3, seconds: float = 30.0) -> Provider:
    """The one of this process for the server at `base_url`."""
    return Provider(max_concurrent=max_concurrent, failures=failures, seconds=seconds)
