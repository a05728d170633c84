"""What the variables of the OpenTelemetry specification say, as far as the program decides by them itself.

The SDK reads the others: OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES, OTEL_BSP_…, OTEL_EXPORTER_OTLP_….
"""

from dataclasses import dataclass
from importlib.util import find_spec

from knowledgetree.env import env_bool, env_str

_NEEDED = "opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracingSettings:
    """`endpoint`: where spans go, with its path. `texts`: questions are told, without personal data. `statements`: each
    statement of the database is a span.
    """

    endpoint: str
    texts: bool = False
    statements: bool = False


def tracing_environment() -> TracingSettings | None:
    """None: nothing is traced. That is so until an endpoint or the exporter is named."""
    exporter = env_str("OTEL_TRACES_EXPORTER")
    traces, base = env_str("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), env_str("OTEL_EXPORTER_OTLP_ENDPOINT")
    if env_bool("OTEL_SDK_DISABLED") or exporter == "none" or not (exporter or traces or base):
        return None
    return TracingSettings(
        endpoint=traces or f"{(base or 'http://localhost:4318').rstrip('/')}/v1/traces",
        texts=env_bool("TRACE_TEXTS"),
        statements=env_bool("TRACE_STATEMENTS"),
    )


def is_installed() -> bool:
    try:
        return all(map(find_spec, _NEEDED))
    except ModuleNotFoundError:
        return False
