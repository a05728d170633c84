"""PgBouncer in its transaction mode in front of the database of the tests."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.installation import free_port, is_open, wait_until

_SETTINGS = """
[databases]
* = {server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
ignore_startup_parameters = {ignored}
"""


@contextmanager
def pgbouncer(folder: Path, url: str, *, ignored: str = "extra_float_digits") -> Iterator[str]:
    """The address under which `url`'s database is reached through PgBouncer, without a word that it stands there.

    Four connections to PostgreSQL serve everybody. `ignored`: what of a start of a connection it lets pass unheeded.
    """
    program = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
    if program is None:
        pytest.skip("there is no PgBouncer on this machine")
    parts, port = urlsplit(url), free_port()
    host = parse_qs(parts.query).get("host", [parts.hostname or "127.0.0.1"])[0]
    server = f"host={host} port={parts.port or 5432} user={parts.username}"
    if parts.password:
        server += f" password={parts.password}"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "pgbouncer.ini"
    file.write_text(_SETTINGS.format(server=server, port=port, ignored=ignored), encoding="utf-8")
    with (folder / "pgbouncer.log").open("wb") as log, file.open("rb") as settings:
        options = _somebody_else(host)
        process = subprocess.Popen(
            [program, "-q", "/dev/stdin"], stdin=settings, stdout=log, stderr=log, cwd="/", **options
        )
    try:
        wait_until(lambda: is_open(port) or process.poll() is not None)
        assert process.poll() is None, (folder / "pgbouncer.log").read_text()
        yield f"postgresql://{parts.username}@127.0.0.1:{port}{parts.path}"
    finally:
        process.kill()
        process.wait()


def _somebody_else(host: str) -> dict[str, int]:
    """PgBouncer does not run for root: for the owner of the server's socket instead, who may open it."""
    if os.geteuid() != 0:
        return {}
    owner = Path(host).stat().st_uid if host.startswith("/") else 65534
    return {"user": owner or 65534}
