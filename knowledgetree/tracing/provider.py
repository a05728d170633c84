"""The one tracer of this process.

It is nobody else's: libraries that trace themselves (the MCP SDK does) would put texts of questions into their spans.
"""

import logging
import os
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

from django.conf import settings

from knowledgetree.logs import trace_number
from knowledgetree.tracing.environment import is_installed

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

log = logging.getLogger("knowledgetree.tracing")


@lru_cache(maxsize=1)
def tracer() -> "Tracer | None":
    """None where nothing is traced. Made at the first span of a process, so that a fork sends spans of its own."""
    if settings.TRACING is None:
        return None
    if not is_installed():
        log.warning("OTEL_… is set, but not installed: pip install 'knowledgetree[otel]'")
        return None
    return _made(settings.TRACING.endpoint)


def _made(endpoint: str) -> "Tracer":
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class IdsOfLogs(RandomIdGenerator):
        """A trace begins where a trace id of the logs does, and is called the same."""

        def generate_trace_id(self) -> int:
            return trace_number() or super().generate_trace_id()

    names = {} if "OTEL_SERVICE_NAME" in os.environ else {"service.name": "knowledgetree"}
    provider = TracerProvider(
        id_generator=IdsOfLogs(), resource=Resource.create({"service.version": _version(), **names})
    )
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint)))
    Finalize(None, provider.shutdown, exitpriority=10)  # processes of multiprocessing never come to atexit
    return provider.get_tracer("knowledgetree", _version())


def _version() -> str:
    try:
        return version("knowledgetree")
    except PackageNotFoundError:
        return ""
