"""Versions that came when they were over already, as a repository tells them: read once, so that they can be compared
and, where they held for a day, searched by date.
"""

import time
from functools import partial

from django.db.models import QuerySet

from ingestion.errors import ExtractionError
from ingestion.models import Document, DocumentVersion
from ingestion.pipeline import parsing_limits
from ingestion.reading.local_copies import local_copy
from ingestion.reading.sandbox import parse
from ingestion.types import ExtractedText
from knowledgetree.conf import IngestionSettings

_SHARE = 3  # of the time that a job may take


def read_unread_versions(document: Document, settings: IngestionSettings) -> bool:
    """Read those of the document that nobody read yet, the newest first; whether some are left for another job. Each
    is kept when it is read, so that nothing is read twice.
    """
    end = time.monotonic() + settings.index_seconds / _SHARE
    for version in unread_versions(document):
        _keep_text(version, settings)
        if time.monotonic() >= end:
            break
    return unread_versions(document).exists()


def unread_versions(document: Document) -> QuerySet[DocumentVersion]:
    """All but the current one, which is read as the document."""
    own = DocumentVersion.objects.filter(document=document)
    current = own.order_by("-number").values("pk")[:1]
    return own.filter(text="", extractor="").exclude(revision="").exclude(pk__in=current).order_by("-number")


def _keep_text(version: DocumentVersion, settings: IngestionSettings) -> None:
    try:
        text = _extracted(version, settings)
    except (ExtractionError, FileNotFoundError):
        text = ExtractedText(text="", extractor=DocumentVersion.NOTHING_READ)
    DocumentVersion.objects.filter(pk=version.pk, text="").update(
        text=text.text, extractor=text.extractor, page_starts=[page.start for page in text.pages]
    )


def _extracted(version: DocumentVersion, settings: IngestionSettings) -> ExtractedText:
    with version.file.open("rb") as original, local_copy(original, version.checksum) as copy:
        read = partial(parse, copy, name=version.file_name, limits=parsing_limits(settings))
        return read(max_bytes=settings.max_bytes, max_characters=settings.max_characters)[1]
