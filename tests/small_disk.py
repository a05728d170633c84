"""Tables of the tests' database on a disk of their own, which has no room."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@contextmanager
def small_disk() -> Iterator[Path]:
    """A disk of 128 kB; the test is skipped where none can be made."""
    folder = Path(tempfile.mkdtemp(prefix="knowledgetree-"))  # not below tmp_path, which is closed to the server's user
    folder.chmod(0o755)
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("only root may mount a small disk, and not everywhere")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


@contextmanager
def tables_on_small_disk(*tables: str) -> Iterator[Path]:
    """Call it outside of transactions. The tables are emptied: what others rolled back still takes room."""
    with small_disk() as folder:
        with connection.cursor() as cursor:
            cursor.execute("SHOW data_directory")
            server = Path(str(cursor.fetchone()[0]))
        place = folder / "space"
        place.mkdir(mode=0o700)
        shutil.chown(place, server.stat().st_uid)
        execute("SET knowledgetree.audit = 'flush'")  # the audit log is emptied for no other reason
        execute(f"TRUNCATE {', '.join(tables)} CASCADE")
        execute("RESET knowledgetree.audit")
        space = f"kt_small_{os.getpid()}"  # the test processes share a server
        execute(f"CREATE TABLESPACE {space} LOCATION '{place}'")
        for table in tables:
            execute(f"ALTER TABLE {table} SET TABLESPACE {space}")
        try:
            yield folder
        finally:
            for table in tables:
                execute(f"ALTER TABLE {table} SET TABLESPACE pg_default")
            execute(f"DROP TABLESPACE {space}")


def fill(folder: Path) -> None:
    """To the last byte."""
    with open(folder / "filler", "wb", buffering=0) as filler:
        for size in (4096, 1):
            try:
                while filler.write(b"x" * size):
                    pass
            except OSError:
                continue


def make_room(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)
