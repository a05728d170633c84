"""The versions of a document: noted whenever its content changes."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from ingestion.models import Document, DocumentVersion
from ingestion.models.viewers import Viewer
from ingestion.renewal.earlier_versions import remove_earlier
from ingestion.services.files.originals import forget_original
from ingestion.sources.types import Revision
from knowledgetree.conf import rag_settings


def note_version(document: Document, *, author: Viewer | None, revision: Revision | None = None) -> DocumentVersion:
    """The document's content is a new version from now on, or from the `revision` of its place on that brought it.
    Those over the limit are forgotten, the oldest first.
    """
    last = document.versions.aggregate(last=Max("number"))["last"] or 0
    version = DocumentVersion.objects.create(
        document=document,
        number=last + 1,
        label=document.version,
        file=document.file.name or "",
        file_name=document.file_name,
        checksum=document.checksum,
        size=document.size,
        author_id=author.pk if author else None,
        created=_came(document, revision),
        revision=revision.key if revision else "",
        note=revision.note if revision else "",
    )
    kept = rag_settings().ingestion.kept_versions
    for old in document.versions.order_by("-number")[kept + 1 :]:
        path, checksum = old.file.name, old.checksum
        remove_earlier(old)
        old.delete()
        forget_original(path, checksum)
    return version


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerStanding:
    """What a document was called and from when to when it was in force, before another content came."""

    title: str
    valid_from: date | None
    valid_to: date | None


def standing_of(document: Document) -> FormerStanding:
    return FormerStanding(title=document.title, valid_from=document.valid_from, valid_to=document.valid_to)


def close_version(document: Document, was: FormerStanding, *, by: Revision | None = None) -> None:
    """Note until when the newest version held, now that the document has another content: until the day before that
    one is in force, or came where nobody says since when it is: today, or with a change of its place.

    A content that is in force since the same day only puts a slip right; then the version never held by itself.
    """
    newest = document.versions.first()
    if newest is None:
        return
    came = timezone.localtime(newest.created).date()
    newest.title, newest.valid_from = was.title, was.valid_from or _day_after_former(newest)
    if newest.revision and newest.valid_from is None:
        newest.valid_from = came
    if document.valid_from is None or document.valid_from != was.valid_from:
        until = (document.valid_from or timezone.localtime(_came(document, by)).date()) - timedelta(days=1)
        until = min(until, was.valid_to) if was.valid_to else until
        if until >= (newest.valid_from or (date.min if document.valid_from else came)):
            newest.valid_to = until
    newest.save(update_fields=["title", "valid_from", "valid_to"])


def _came(document: Document, revision: Revision | None) -> datetime:
    """When the content comes that a revision brings: not before the last one, nor in the future, whatever is said."""
    now = timezone.now()
    if revision is None:
        return now
    last = document.versions.aggregate(last=Max("created"))["last"]
    return max(last, min(revision.since, now)) if last else min(revision.since, now)


def settle_former_version(document: Document, was: FormerStanding) -> bool:
    """Let the former version end where the document now begins to be in force; whether it then has no index yet."""
    former = document.versions.all()[1:2].first()
    if former is None or document.valid_from in (None, was.valid_from):
        return False
    assert document.valid_from is not None  # noqa: S101  for the type checker
    until = document.valid_from - timedelta(days=1)
    if until < (former.valid_from or date.min):
        return False
    DocumentVersion.objects.filter(pk=former.pk).update(valid_to=until)
    return not Document.earlier_ones.filter(earlier=former).update(valid_to=until)


def _day_after_former(version: DocumentVersion) -> date | None:
    former = DocumentVersion.objects.filter(document=version.document_id, number__lt=version.number)
    last = former.aggregate(last=Max("valid_to"))["last"]
    return last + timedelta(days=1) if last else None


def note_first_version(document: Document) -> None:
    """Notes the first version; who added a document from before versions were kept is not known."""
    if not document.versions.exists():
        version = note_version(document, author=None)
        DocumentVersion.objects.filter(pk=version.pk).update(created=document.modified)


def forget_versions(document: Document) -> int:
    """All of them, with their originals; how many."""
    versions = list(document.versions.all())
    for version in versions:
        remove_earlier(version)
    document.versions.all().delete()
    for version in versions:
        forget_original(version.file.name, version.checksum)
    return len(versions)
