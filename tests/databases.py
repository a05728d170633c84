"""A migrated database, made once for as long as the tables stay what they are, of which each test process and each
installation beside the tests gets a copy: a fifth of a second instead of ten.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import psycopg
from django.apps import apps
from django.conf import settings

from knowledgetree.database import reach_embedded

ROOT = Path(__file__).parents[1]
_PREFIX = "kt_template_"
_MAKING = 7_299_001  # an advisory lock of the server's own database


def database_url(name: str = "") -> str:
    """Of the database `name` on the server of the tests; without a name, of the one that is always there."""
    directory = settings.DATABASES["default"].get("EMBEDDED_DIRECTORY")
    if directory:
        return reach_embedded(directory, name) if name else reach_embedded(directory)
    server = os.environ["DATABASE_URL"]
    return server.rsplit("/", 1)[0] + f"/{name}" if name else server


@contextmanager
def database_copy(name: str) -> Iterator[str]:
    """A migrated, empty database of that name, dropped in the end; its address."""
    template = ensure_template()
    with psycopg.connect(database_url(), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
    try:
        yield database_url(name)
    finally:
        with psycopg.connect(database_url(), autocommit=True) as server:
            server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


def ensure_template() -> str:
    """The name of the template for the migrations and models of now; those of before are dropped."""
    wanted = _PREFIX + _fingerprint()
    with psycopg.connect(database_url(), autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", [_MAKING])
        rows = server.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_PREFIX]).fetchall()
        if (wanted,) not in rows:
            for (old,) in rows:
                server.execute(f"DROP DATABASE IF EXISTS {old} WITH (FORCE)".encode())
            server.execute(f"CREATE DATABASE {wanted}_half".encode())
            _migrate(f"{wanted}_half")
            server.execute(f"ALTER DATABASE {wanted}_half RENAME TO {wanted}".encode())
    return wanted


def _migrate(name: str) -> None:
    environment = {**os.environ, "DATABASE_URL": database_url(name), "DJANGO_SETTINGS_MODULE": "knowledgetree.settings"}
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=environment, check=True)


def _fingerprint() -> str:
    """Of what the tables and what stands in them after `migrate` are made of."""
    read = hashlib.sha256(" ".join(f"{name} {version(name)}" for name in ("Django", "django-q2")).encode())
    for app in ("ingestion", "rag", "knowledgetree"):
        folder = Path(apps.get_app_config(app).path)
        for file in sorted([*folder.glob("migrations/*.py"), *folder.glob("models/**/*.py"), folder / "apps.py"]):
            read.update(file.read_bytes())
    return read.hexdigest()[:16]
