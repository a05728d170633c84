"""Statements of the database as spans, where TRACE_STATEMENTS asks for them: texts without their values."""

from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

from knowledgetree.tracing.spans import current_traceparent, span

_MOST_CHARACTERS = 2_000


def trace_statements(*, connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """A receiver of `connection_created`, which comes again where a connection is opened anew."""
    if _execute not in connection.execute_wrappers:
        connection.execute_wrappers.append(_execute)


def _execute(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
    if not current_traceparent():  # a worker looks for work all day long
        return execute(sql, params, many, context)
    text = str(sql)[:_MOST_CHARACTERS]
    name = text.split(maxsplit=1)[0] if text.strip() else "statement"
    with span(name, {"db.system.name": "postgresql", "db.query.text": text}, kind="client"):
        return execute(sql, params, many, context)
