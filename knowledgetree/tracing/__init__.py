"""OpenTelemetry: what a request, a question, a job and a language model's call took, under the trace id of the logs.

Configured by the standard variables `OTEL_*`. Without them nothing is imported and nothing is made.
"""

from knowledgetree.tracing.spans import (
    OpenSpan,
    begin_span,
    current_traceparent,
    in_span,
    note_on_span,
    record_span,
    span,
)

__all__ = [
    "OpenSpan",
    "begin_span",
    "current_traceparent",
    "in_span",
    "note_on_span",
    "record_span",
    "span",
]
