"""A PDF as it looks, on a page of its own: the reader's browser draws it from the original."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models import Document
from ingestion.types import MarkedPage
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from rag.chat.reading.documents import named_text, readable_or_404
from rag.chat.reading.page_figures import chosen_page, is_text_of, marks_on, page_at
from rag.selectors.texts import ShownText

_MOST_MARKED = 4  # pages: each is looked at in a process of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedSheet:
    """Page `number`, and where on it the cited words stand."""

    number: int
    page: MarkedPage


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfOpening:
    """The `page` to begin at, and those that have words of the cited passage."""

    page: int = 1
    marked: tuple[MarkedSheet, ...] = ()


@require_safe
@never_cache
def pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The parameters `start`, `end`, `q`, `chunk` and `page` are those of the document page.

    Nothing can be covered in a PDF, so who may not see personal data does not get it.
    """
    found = readable_or_404(request.user, pk)
    if found.original is None:
        raise PermissionDenied
    if not found.is_pdf:
        raise Http404
    record(AuditEntry.Action.READ, documents=[pk])
    text = named_text(request, found)
    context = {"document": found, "cited": text and text.cited, "opening": _opening(request, found.original, text)}
    return render(request, "chat/pdf.html", context)


def _opening(request: HttpRequest, document: Document, text: ShownText | None) -> PdfOpening:
    """Places in a text that was read from another file say nothing about this one."""
    chosen = chosen_page(request)
    if text is None or not text.page_starts or not is_text_of(document, text):
        return PdfOpening(page=chosen or 1)
    first, last = page_at(text, text.cited.start), page_at(text, max(text.cited.start, text.cited.end - 1))
    numbers = range(first, min(last + 1, first + _MOST_MARKED)) if text.cited.end > text.cited.start else ()
    pages = ((number, marks_on(document, text, number)) for number in numbers)
    marked = tuple(MarkedSheet(number=number, page=page) for number, page in pages if page and page.rectangles)
    return PdfOpening(page=chosen or first, marked=marked)
