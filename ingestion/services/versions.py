"""The versions of a document: noted whenever its content changes."""

from django.db.models import Max
from django.utils import timezone

from ingestion.models import Document, DocumentVersion
from ingestion.models.viewers import Viewer
from ingestion.services.files.originals import forget_original
from knowledgetree.conf import rag_settings


def note_version(document: Document, *, author: Viewer | None) -> DocumentVersion:
    """The document's content is a new version from now on. Those over the limit are forgotten, the oldest first."""
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
        created=timezone.now(),
    )
    kept = rag_settings().ingestion.kept_versions
    for old in document.versions.order_by("-number")[kept + 1 :]:
        path, checksum = old.file.name, old.checksum
        old.delete()
        forget_original(path, checksum)
    return version


def note_first_version(document: Document) -> None:
    """Notes the first version; who added a document from before versions were kept is not known."""
    if not document.versions.exists():
        version = note_version(document, author=None)
        DocumentVersion.objects.filter(pk=version.pk).update(created=document.modified)


def forget_versions(document: Document) -> int:
    """All of them, with their originals; how many."""
    versions = list(document.versions.all())
    document.versions.all().delete()
    for version in versions:
        forget_original(version.file.name, version.checksum)
    return len(versions)
