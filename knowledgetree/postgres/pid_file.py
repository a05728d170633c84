"""`postmaster.pid`: the file by which an embedded server says that it runs, and which a crash or a copy leaves behind.

PostgreSQL, `pg_ctl` and the package that brings them take the number in it for the server's. After a crash or a reboot
it may be any program's, which they would wait for, or end in the server's place.
"""

import logging
import time
from contextlib import suppress
from pathlib import Path

import psutil

log = logging.getLogger("knowledgetree.database")

_NAME = "postmaster.pid"
_SOCKET_LOCKS = ".s.PGSQL.*.lock"
# Counted from 0; a server that has just begun and a full disk leave fewer.
_DIRECTORY_LINE, _START_LINE, _STATE_LINE = 1, 2, 7
_START_TOLERANCE = 5.0  # seconds; the file has whole ones, the system counts from its boot


def server_runs(directory: Path) -> bool:
    """Whether the process that the file names is there and is this directory's server, be it coming up or ending."""
    lines = _lines(directory)
    return bool(lines) and not _is_copied(lines, directory) and _is_server(lines, directory)


def server_is_up(directory: Path) -> bool:
    """Whether it takes connections."""
    return "ready" in _lines(directory)[_STATE_LINE:] and server_runs(directory)


def settle_pid_file(directory: Path, *, patience: float = 60.0) -> None:
    """Wait for a server that is coming up or ending, and take the file away where it has no server.

    Call it where nobody else may be starting the server. Raises TimeoutError.
    """
    end = time.monotonic() + patience
    while server_runs(directory) and not server_is_up(directory):
        if time.monotonic() > end:
            raise TimeoutError(f"PostgreSQL in {directory} neither came up nor ended within {patience:g} s.")
        time.sleep(0.1)
    file = directory / _NAME
    if file.exists() and not server_runs(directory):
        log.warning("a postmaster.pid without a server of its own was removed", extra={"fields": {"path": str(file)}})
        for lock in (file, *directory.glob(_SOCKET_LOCKS)):
            lock.unlink(missing_ok=True)


def _lines(directory: Path) -> list[str]:
    try:
        return [line.strip() for line in (directory / _NAME).read_text(errors="replace").splitlines()]
    except FileNotFoundError:
        return []


def _is_copied(lines: list[str], directory: Path) -> bool:
    """Whether it came with a copy of a directory whose server runs, and would lead to the database of the original."""
    original = Path(lines[_DIRECTORY_LINE]) if len(lines) > _DIRECTORY_LINE else directory
    return original.is_absolute() and original.exists() and not original.samefile(directory)


def _is_server(lines: list[str], directory: Path) -> bool:
    """By name, and by the directory it was started for or the moment it was started.

    Either will do: the command line may be closed to us, and the moment moves where the clock was set meanwhile.
    """
    with suppress(ValueError, OverflowError, psutil.NoSuchProcess, psutil.AccessDenied):
        process = psutil.Process(int(lines[0]))
        if process.name() != "postgres" or process.status() == psutil.STATUS_ZOMBIE:
            return False
        return _started_at(lines, process) or _serves(process, directory)
    return False


def _started_at(lines: list[str], process: psutil.Process) -> bool:
    said = lines[_START_LINE] if len(lines) > _START_LINE else ""
    return said.isdigit() and abs(int(said) - process.create_time()) <= _START_TOLERANCE


def _serves(process: psutil.Process, directory: Path) -> bool:
    return str(directory.resolve()) in process.cmdline()
