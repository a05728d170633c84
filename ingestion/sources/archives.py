"""Archives among what a source gives: each file in one is a document of its own, under `archive.zip!path`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from ingestion.sources.types import (
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Moved,
    ReadingStep,
    Skipped,
    Unchanged,
)
from ingestion.types import ArchivedFile
from knowledgetree.errors import KnowledgeTreeError

Unpack = Callable[[bytes], Iterable[ArchivedFile]]
"""Gives the files of an archive. Raises KnowledgeTreeError."""

_INSIDE: Final = re.compile(r"(.+?\.zip)!(.+)", re.I | re.S)


def read_archives(
    read: Callable[[Mapping[str, Known]], Iterator[ReadingStep]],
    *,
    known: Mapping[str, Known],
    is_archive: Callable[[str, bytes], bool],
    unpack: Unpack,
) -> Iterator[ReadingStep]:
    """What `read` gives, with the files of archives in the place of these.

    `read` knows an archive by the version that all its files have; one that was not taken to its end it does not know.
    What a changed archive has no more is gone; where it cannot be opened, what was taken from it stays.
    """
    library = _Library.of(known)
    for step in read(library.known):
        uri = getattr(step, "uri", "")
        if isinstance(step, FetchedDocument) and is_archive(step.name, step.content):
            yield from library.opened(step, unpack)
        elif isinstance(step, Moved) and step.former in library.inside:
            yield from library.moved(step)
        elif uri in library.inside and isinstance(step, Unchanged | Gone | Skipped):
            yield from library.spread(step)
        else:
            yield step


@dataclass(frozen=True, slots=True, kw_only=True)
class _Library:
    """`known` is by what the reader asks for: archives in the place of what is `inside` them, by archive and URI."""

    known: Mapping[str, Known]
    inside: Mapping[str, Mapping[str, Known]]
    plain: Mapping[str, Known] = field(default_factory=dict)

    @classmethod
    def of(cls, known: Mapping[str, Known]) -> "_Library":
        inside: dict[str, dict[str, Known]] = {}
        plain = {}
        for uri, version in known.items():
            if found := _INSIDE.fullmatch(uri):
                inside.setdefault(found[1], {})[uri] = version
            else:
                plain[uri] = version
        archives = {uri: _version_of(list(files.values())) for uri, files in inside.items()}
        return cls(known={**plain, **archives}, inside=inside, plain=plain)

    def opened(self, archive: FetchedDocument, unpack: Unpack) -> Iterator[ReadingStep]:
        """The last file tells how many were taken, so that what was broken off is not taken for all of it."""
        before, there, taken = self._before(archive), set[str](), 0
        last: ArchivedFile | None = None
        try:
            for file in unpack(archive.content):
                there.add(_uri(archive, file))
                if file.trouble or not file.content:
                    if file.trouble:
                        yield FetchFailure(uri=_uri(archive, file), code="unreadable", message=file.trouble)
                    continue
                if last:
                    yield _document(archive, last, before, mark=0)
                last, taken = file, taken + 1
        except KnowledgeTreeError as error:
            yield FetchFailure.because(archive.uri, error)
            return
        if last:
            yield _document(archive, last, before, mark=taken)
        elif not there:
            message = _("There is no file in the archive that could be read.")
            yield FetchFailure(uri=archive.uri, code="empty_archive", message=message)
        yield from (Gone(uri=one.address) for uri, one in before.items() if uri not in there)
        for uri in {archive.uri, archive.former} & self.plain.keys():  # it was a document before archives were opened
            yield Gone(uri=uri)

    def moved(self, step: Moved) -> Iterator[ReadingStep]:
        """With all that is in it."""
        for former, version in self.inside[step.former].items():
            if not version.gone:
                uri = f"{step.uri}{former.removeprefix(step.former)}"
                yield replace(step, uri=uri, former=former, version=replace(version, identity=step.version.identity))

    def spread(self, step: Unchanged | Gone | Skipped) -> Iterator[ReadingStep]:
        """To the files; where the archive is unchanged, not to those that an earlier one had."""
        for uri, version in self.inside[step.uri].items():
            if not isinstance(step, Unchanged):
                yield replace(step, uri=uri)
            elif (_mark_and_etag(version)[1], version.last_modified) == (step.version.etag, step.version.last_modified):
                yield replace(step, uri=uri, version=replace(version, identity=step.version.identity))

    def _before(self, archive: FetchedDocument) -> dict[str, "_Former"]:
        """What was in the archive, by the addresses that it would have now."""
        moved = self.inside.get(archive.former, {}).items()
        elsewhere = {f"{archive.uri}{uri.removeprefix(archive.former)}": _Former(uri, known) for uri, known in moved}
        return elsewhere | {uri: _Former(uri, known) for uri, known in self.inside.get(archive.uri, {}).items()}


class _Former(NamedTuple):
    address: str
    known: Known


def _uri(archive: FetchedDocument, file: ArchivedFile) -> str:
    return f"{archive.uri}!{file.path or '?'}"


def _document(archive: FetchedDocument, file: ArchivedFile, before: Mapping[str, _Former], *, mark: int) -> ReadingStep:
    uri, whole = _uri(archive, file), archive.version
    etag = f"{mark}/{whole.etag}"
    version = Known.of(file.content, etag=etag, last_modified=whole.last_modified, identity=whole.identity)
    was = before.get(uri)
    if was and was.address == uri and was.known.checksum == version.checksum:
        return Unchanged(uri=uri, version=version, readers=archive.readers)
    name = re.split(r"[/!]", file.path)[-1]
    former = was.address if was and was.address != uri else ""
    return replace(archive, uri=uri, name=name, content=file.content, media_type="", version=version, former=former)


def _version_of(files: list[Known]) -> Known:
    """That of the archive; as of one known by its address alone where not all its files were taken from one."""
    there = [one for one in files if not one.gone] or files
    marks, etags = zip(*map(_mark_and_etag, there), strict=True)
    times, identities = {one.last_modified for one in there}, {one.identity for one in there}
    if len(set(etags)) > 1 or len(times) > 1 or str(len(there)) not in marks:
        return Known(gone=there[0].gone)
    identity = identities.pop() if len(identities) == 1 else ""
    return Known(etag=etags[0], last_modified=times.pop(), identity=identity, gone=there[0].gone)


def _mark_and_etag(version: Known) -> tuple[str, str]:
    mark, _slash, etag = version.etag.partition("/")
    return mark, etag
