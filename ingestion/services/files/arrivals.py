"""Documents that come in, by whatever way: the one place that makes rows of files and new versions of old ones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final, Literal, Unpack

from django.core.files.base import File
from django.utils.translation import gettext as _

from ingestion.errors import DocumentTooLarge, EmptyDocument, InvalidValidity
from ingestion.models import Collection, Document, Source
from ingestion.models.descriptions import DescribedFields, is_in_order, own_value, take_word
from ingestion.models.viewers import Viewer
from ingestion.services.files.originals import (
    Content,
    as_file,
    checksum_of,
    forget_original,
    store_original,
    without_orphan,
)
from ingestion.services.indexing import queue_indexing
from ingestion.services.versions import (
    FormerStanding,
    close_version,
    note_first_version,
    note_version,
    settle_former_version,
    standing_of,
)
from ingestion.sources.types import Revision
from knowledgetree.conf import rag_settings

PLACE: Final = "from"
"""The key of `Document.given` for the file of this machine that was taken in last: its "path" and "checksum"."""

_SETTLED = {Document.Status.READY, Document.Status.QUEUED, Document.Status.PROCESSING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A document that came in: `new`, a new `version` of it, other `fields` for the same content (or the same read
    once more), `unchanged`; or `archived`: it stays in the archive as it was.
    """

    document: Document
    outcome: Literal["new", "version", "fields", "unchanged", "archived"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastContent:
    """What a document that comes in said before, since a `revision` of its place, as a file of this name."""

    name: str
    content: bytes
    revision: Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """What came in. `place`: its path, where it is a file of this machine. `revision`: the change of its place that
    brought it, where that tells it.
    """

    name: str
    content: "File[bytes]"
    checksum: str
    place: str = ""
    author: Viewer | None = None
    revision: Revision | None = None

    def was_taken(self, document: Document) -> bool:
        """Whether the document had it already, from this place, so that another content since is somebody's will."""
        return bool(self.place) and document.given.get(PLACE) == {"path": self.place, "checksum": self.checksum}


def take_in(
    *,
    collection: Collection,
    name: str,
    content: Content,
    uri: str = "",
    place: str = "",
    source: Source | None = None,
    author: Viewer | None = None,
    from_archive: bool = False,
    enqueue: bool = True,
    earlier: Iterable[PastContent] = (),
    revision: Revision | None = None,
    **said: Unpack[DescribedFields],
) -> Arrival:
    """Keep the original and have it indexed.

    The same `uri` (by default the file name) again is the same document: other content is a new version by `author`,
    unchanged content costs nothing. A file of this machine at `place` that is as it was when it came from there is
    unchanged even where somebody sent or restored another content since. Of the fields those that are `said` are set,
    but for what an editor set (`ingestion.models.descriptions`). An archived document is left alone, or comes back with
    `from_archive`. Without `enqueue` the caller runs the waiting job itself. What it said `earlier`, the oldest first,
    become versions before that of the content, which the `revision` of its place brought.
    Raises DocumentTooLarge, EmptyDocument or InvalidValidity before anything is stored, and StorageFailed.
    """
    original = as_file(content)
    _check_size(name, original.size)
    checksum = checksum_of(original)
    file = _File(
        name=file_name_of(name), content=original, checksum=checksum, place=place, author=author, revision=revision
    )
    with without_orphan(checksum):
        hold_names(collection)
        document = Document.objects.select_for_update().filter(collection=collection, uri=uri or file.name).first()
        if document is None:
            document, said = (
                Document(collection=collection, uri=uri or file.name, title=file.name),
                {"title": "", **said},
            )
        elif document.status == Document.Status.ARCHIVED and not from_archive:
            return Arrival(document=document, outcome="archived")
        return _renew(document, file, said, source=source or document.source, enqueue=enqueue, earlier=earlier)


def file_name_of(name: str) -> str:
    """The name of an uploaded file without folders."""
    return PurePath(name.replace("\\", "/")).name[:300] or _("untitled")


def hold_names(collection: Collection) -> None:
    """Until the end of the transaction nobody else brings a document into the collection, so that of two with one name
    the second sees the first. Take it before the lock of a document.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)


def _renew(
    document: Document,
    file: _File,
    said: DescribedFields,
    *,
    source: Source | None,
    enqueue: bool,
    earlier: Iterable[PastContent],
) -> Arrival:
    is_new, was_taken, was = document.pk is None, file.was_taken(document), standing_of(document)
    if is_new:  # until it is read nobody knows what it was called
        was = replace(was, title="")
    took_past = [_take_past(document, past, was) for past in earlier]
    is_version = any(took_past) or (document.checksum != file.checksum and not was_taken)
    has_file = is_version or document.checksum == file.checksum
    is_stale = is_version or (has_file and (document.file_name != file.name or not _is_settled(document)))
    if has_file:
        document.file_name = file.name
    changed = take_word(document, said) | ({"source"} if source != document.source else set())
    document.source = source
    if file.place:
        document.given = {**document.given, PLACE: {"path": file.place, "checksum": file.checksum}}
    if not is_in_order(own_value(document, "valid_from"), own_value(document, "valid_to")):
        raise InvalidValidity
    if is_stale:
        _take_content(document, file, was)
    elif changed:
        document.save()
        is_stale = settle_former_version(document, was)
    else:  # what is given is no change that anybody sees
        Document.objects.filter(pk=document.pk).exclude(given=document.given).update(given=document.given)
        return Arrival(document=document, outcome="unchanged")
    if is_stale or "title" in changed:
        queue_indexing(document, enqueue=enqueue)
    return Arrival(document=document, outcome="new" if is_new else "version" if is_version else "fields")


def _take_past(document: Document, past: PastContent, was: FormerStanding) -> bool:
    """Whether it is another content than the one before. It is the document's own until the next one comes."""
    original, name = as_file(past.content), file_name_of(past.name)
    checksum = checksum_of(original)
    if document.checksum == checksum or not past.content:
        return False
    document.file_name = name
    _take_content(document, _File(name=name, content=original, checksum=checksum, revision=past.revision), was)
    return True


def _take_content(document: Document, file: _File, was: FormerStanding) -> None:
    """Save the document with its original, which may have been damaged or lost; other content is a new version, and
    what the document `was` an earlier one.
    """
    is_version = document.checksum != file.checksum
    if is_version and document.pk:
        note_first_version(document)
        close_version(document, was, by=file.revision)
        forget_original(document.file.name, document.checksum)
    document.file.name = store_original(file.checksum, file.content)
    document.checksum, document.size = file.checksum, file.content.size
    document.status = Document.Status.READY if document.chunk_count else Document.Status.QUEUED
    document.save()
    if is_version:
        note_version(document, author=file.author, revision=file.revision)


def _is_settled(document: Document) -> bool:
    """Whether it is searched or will be, so that the same content need not be read again."""
    return document.status in _SETTLED and not document.error_code


def _check_size(name: str, size: int) -> None:
    limit = rag_settings().ingestion.max_bytes
    if size > limit:
        raise DocumentTooLarge(
            _("%(name)s has %(size).1f MB; the limit is %(limit).1f MB.")
            % {"name": name, "size": size / 1e6, "limit": limit / 1e6}
        )
    if not size:
        raise EmptyDocument(_("%(name)s is empty.") % {"name": name})
