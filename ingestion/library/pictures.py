"""The pages of a document as pictures, for readers. Whoever calls has looked at the rights.

Cache: rebuildable only. Pictures and places are kept in memory by the SHA-256 of the original, for an hour at most;
a page that could not be painted is left alone for ten minutes, so that a hostile file does not keep the painter busy.
"""

import hashlib
import logging
from collections.abc import Callable
from typing import IO, TypeVar

from django.core.cache import caches

from ingestion.errors import ExtractionError, PicturesBusy
from ingestion.models import Document
from ingestion.reading.local_copies import local_copy
from ingestion.reading.sandbox import marked_page as marked
from ingestion.reading.sandbox import painted_page
from ingestion.types import MarkedPage

log = logging.getLogger("knowledgetree.pictures")

WIDTHS = (800, 1200, 1600)
"""In pixels."""

_KEPT_SECONDS = 3600
_LEFT_ALONE_SECONDS = 600
_FAILED = "failed"

_Seen = TypeVar("_Seen")


def has_pictures(document: Document) -> bool:
    return document.media_type == "application/pdf" and bool(document.file)


def page_count(document: Document) -> int:
    """As the document was read; 0 where its format has no pages."""
    starts = document.extractions.order_by("pk").values_list("page_starts", flat=True).first()
    return len(starts or ())


def page_picture(document: Document, *, page: int, width: int) -> bytes | None:
    """Page `page`, counted from 1, as WebP; None where it cannot be painted, or not now."""
    return _seen(document, page, f"picture-{width}", lambda content: painted_page(content, page=page, width=width))


def marked_page(document: Document, *, page: int, text: str, start: int, end: int) -> MarkedPage | None:
    """The size of the page and the places of characters [start, end) of `text`, what was extracted from that page.

    None where it cannot be painted, or not now.
    """
    asked = hashlib.sha256(f"{start}-{end}-{text}".encode()).hexdigest()
    return _seen(
        document, page, f"places-{asked}", lambda content: marked(content, page=page, text=text, start=start, end=end)
    )


def _seen(document: Document, page: int, what: str, look: Callable[[IO[bytes]], _Seen]) -> _Seen | None:
    kept = caches["pictures"]
    key, failed = f"{document.checksum}-{page}-{what}", f"{document.checksum}-{page}-{_FAILED}"
    known: _Seen | None = kept.get(key)
    if known is not None or kept.get(failed):
        return known
    try:
        stored = document.file.storage.open(str(document.file.name), "rb")
        with stored as original, local_copy(original) as copy:
            found = look(copy)
    except (PicturesBusy, OSError) as error:
        log.warning("a page cannot be painted now", extra={"fields": {"document": document.pk, "error": str(error)}})
        return None
    except ExtractionError as error:
        log.warning("a page cannot be painted", extra={"fields": {"document": document.pk, "error": str(error)}})
        kept.set(failed, True, _LEFT_ALONE_SECONDS)
        return None
    kept.set(key, found, _KEPT_SECONDS)
    return found
