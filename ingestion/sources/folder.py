"""A folder of the server with everything below it."""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from django.utils.translation import gettext as _

from ingestion.sources.connectors.moves import Moves
from ingestion.sources.connectors.protocol import ListedItem
from ingestion.sources.patterns import wanted
from ingestion.sources.types import (
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Moved,
    Outcome,
    Skipped,
    Stopped,
    Unchanged,
    never,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderOptions:
    """`include` and `exclude` match the path below the folder (see `patterns.wanted`); hidden files are never read."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = 50_000_000


def read_folder(
    folder: Path, *, options: FolderOptions, known: Mapping[str, Known], stopped: Stopped = never
) -> Iterator[Outcome]:
    """Each file under its path below `folder`. Nothing is raised.

    A file whose time and size are those of the known version is not opened, nor one that has number, time and size of
    one that is gone: it was moved. What else has the content of one that is gone was moved too. No link is followed out
    of the folder, links to folders not at all. Nothing is gone while the folder, or the part of it where it stood,
    cannot be read.
    """
    closed: list[str] = []
    files = {_uri(path, folder): path for path in _files(folder, closed)}
    gone = [uri for uri in known if uri not in files and not _is_below(uri, closed)]
    moves = Moves({uri: replace(known[uri], etag=known[uri].last_modified) for uri in gone}, set())
    new = (uri for uri in files if gone and uri not in known)
    unread = moves.unread(_listed(uri, files[uri]) for uri in new if _is_wanted(uri, options))
    for uri, path in files.items():
        if stopped():
            return
        if former := unread.get(uri):
            yield Moved(uri=uri, former=former, version=known[former])
            continue
        outcome = _outcome(path, uri, folder, options, known.get(uri))
        if isinstance(outcome, FetchedDocument) and uri not in known:
            outcome = replace(outcome, former=moves.claim(uri, outcome.version.identity, outcome.version.checksum))
        yield outcome
    for directory in closed:
        yield FetchFailure(uri=directory, code="unreadable", message=_("The folder cannot be read."), retryable=True)
    yield from (Gone(uri=uri) for uri in gone if uri not in moves.found)


def count_files(folder: Path) -> int:
    """How many there are to look at."""
    return sum(1 for _ in _files(folder, []))


def _files(folder: Path, closed: list[str]) -> Iterator[Path]:
    """Files in order; folders that cannot be listed go into `closed`."""

    def failed(error: OSError) -> None:
        closed.append(_uri(Path(error.filename), folder))

    for directory, folders, names in os.walk(folder, onerror=failed, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(directory, name) for name in sorted(names) if not name.startswith("."))


def _uri(path: Path, folder: Path) -> str:
    """The path below the folder, with `/`; bytes that are no UTF-8 become U+FFFD."""
    return os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", errors="replace")


def _is_below(uri: str, closed: list[str]) -> bool:
    return any(directory == "." or uri.startswith(f"{directory}/") for directory in closed)


def _listed(uri: str, path: Path) -> ListedItem:
    """With number and version where it is an ordinary file: links and what cannot be looked at are no moved ones."""
    try:
        status = path.lstat()
    except OSError:
        return ListedItem(path=uri)
    if not stat.S_ISREG(status.st_mode):
        return ListedItem(path=uri)
    return ListedItem(path=uri, version=_modified(status), identity=_number(status))


def _is_wanted(uri: str, options: FolderOptions) -> bool:
    return wanted(uri, include=options.include, exclude=options.exclude)


def _modified(status: os.stat_result) -> str:
    return f"{status.st_mtime_ns}:{status.st_size}"


def _number(status: os.stat_result) -> str:
    """What the disk knows a file by, wherever it is on it. That of a file that is gone is given to another one."""
    return f"{status.st_ino:x}"


def _outcome(path: Path, uri: str, folder: Path, options: FolderOptions, known: Known | None) -> Outcome:
    if not _is_wanted(uri, options):
        return Skipped(uri=uri, reason="excluded")
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(folder.resolve()):
            return Skipped(uri=uri, reason="link")
        return _read(real, uri, options, known)
    except (OSError, RuntimeError):  # RuntimeError: links in a ring
        return FetchFailure(uri=uri, code="unreadable", message=_("The file cannot be read."), retryable=True)


def _read(path: Path, uri: str, options: FolderOptions, known: Known | None) -> Outcome:
    """`path` is no link any more; should it become one meanwhile, it is not opened."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return FetchFailure(uri=uri, code="not_a_file", message=_("This is no ordinary file."))
        modified, number = _modified(status), _number(status)
        if known and known.last_modified == modified:
            return Unchanged(uri=uri, version=known if known.identity else replace(known, identity=number))
        if status.st_size > options.max_bytes:
            limit = options.max_bytes / 1e6
            return FetchFailure(
                uri=uri, code="too_large", message=_("The file is larger than %(limit).1f MB.") % {"limit": limit}
            )
        content = file.read(options.max_bytes + 1)
    version = Known.of(content, last_modified=modified, identity=number)
    if known and known.checksum == version.checksum:
        return Unchanged(uri=uri, version=version)
    return FetchedDocument(
        uri=uri, title="", name=uri.rpartition("/")[2], content=content, media_type="", version=version
    )
