"""What the chunk viewer shows of a chunk beside its fields."""

import re
from typing import Any

from django.contrib import admin
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.labels import coloured, excerpt, moment
from ingestion.index.duplicates import similar_chunks
from ingestion.models import Chunk

JOINER = "\u2060"  # no line break around the dash
_BEFORE = 60  # characters shown before the first word that was searched for


@admin.display(description=_("text"))
def beginning(chunk: Chunk) -> SafeString:
    """The beginning, or where the words stand that were searched for."""
    words = str(getattr(chunk, "searched_for", "")).split()
    shown = excerpt(_around(chunk.text, words))
    label = coloured(gettext("edited"), "warning") if chunk.edited else ""
    return format_html('<span class="kt-excerpt">{} {}</span>', highlighted(shown, words), label)


@admin.display(description=_("document"))
def document_link(chunk: Chunk) -> SafeString:
    address = reverse("admin:ingestion_document_change", args=[chunk.document_id])
    return format_html('<a href="{}" class="text-link">{}</a>', address, chunk.document)


@admin.display(description=_("headings"))
def heading(chunk: Chunk) -> str:
    return " › ".join(chunk.heading_path) or "–"


@admin.display(description=_("lines"))
def lines(chunk: Chunk) -> str:
    return span(chunk.line_start, chunk.line_end)


@admin.display(description=_("pages"))
def pages(chunk: Chunk) -> str:
    return span(chunk.page_start, chunk.page_end) if chunk.page_start else "–"


@admin.display(description=_("characters"))
def characters(chunk: Chunk) -> str:
    return span(chunk.start, chunk.end)


@admin.display(description=_("searched"), ordering="enabled")
def searched(chunk: Chunk) -> SafeString:
    return coloured(gettext("yes"), "success") if chunk.enabled else coloured(gettext("no"), "default")


@admin.display(description=_("quality"), ordering="retrieval_quality")
def grade(chunk: Chunk) -> str:
    grades = {"HIGH": gettext("high"), "MEDIUM": gettext("medium"), "LOW": gettext("low")}
    return grades.get(chunk.retrieval_quality, "–")


@admin.display(description=_("quality of the last search"))
def quality(chunk: Chunk) -> str:
    """As the last answer that it was found for was graded."""
    return f"{grade(chunk)}, {moment(chunk.last_quality_check)}" if chunk.retrieval_quality else "–"


@admin.display(description=_("what the document says"))
def original(chunk: Chunk) -> SafeString:
    return render_to_string("admin/ingestion/chunk/original.html", {"chunk": chunk})


@admin.display(description=_("chunk before"))
def before(chunk: Chunk) -> SafeString:
    return _neighbour(chunk, -1)


@admin.display(description=_("chunk after"))
def after(chunk: Chunk) -> SafeString:
    return _neighbour(chunk, 1)


@admin.display(description=_("near-duplicates"))
def similar(chunk: Chunk) -> SafeString:
    """Chunks of the same collection that are for all its readers, or for those of this chunk: the editor is one."""
    alike = similar_chunks(chunk)
    for_all = Q(document__readership=None) | Q(document__readership=chunk.document.readership_id)
    rows = Chunk.objects.filter(for_all, pk__in=alike, collection=chunk.collection_id).select_related("document")
    pairs = [(int(alike[row.pk] * 100), row) for row in sorted(rows, key=lambda row: -alike[row.pk])]
    return render_to_string("admin/ingestion/chunk/similar.html", {"pairs": pairs})


@admin.display(description=_("text before it"))
def text_before(chunk: Chunk) -> str:
    return chunk.context_before or "–"


@admin.display(description=_("text after it"))
def text_after(chunk: Chunk) -> str:
    return chunk.context_after or "–"


LIST: list[Any] = [beginning, "document", heading, lines, pages, searched, grade]
READ_ONLY: list[Any] = [
    document_link, heading, "kind", lines, pages, characters, text_before, text_after,
    quality, original, before, after, similar,
]  # fmt: skip
FIELDSETS: list[Any] = [
    (None, {"fields": [document_link, heading, ("kind", lines), (pages, characters), quality]}),
    (_("Text"), {"fields": ["text", "enabled", original]}),
    (_("Around it"), {"fields": [before, after, similar]}),
    (_("Context that is embedded with it"), {"fields": [text_before, text_after]}),
]


def span(first: int | None, last: int | None) -> str:
    """`3–7`, or `3` where both ends are the same."""
    return str(first) if first == last else f"{first}{JOINER}–{JOINER}{last}"


def highlighted(text: str, words: list[str]) -> SafeString:
    """`text`, escaped, with `words` marked wherever they stand."""
    if not words:
        return mark_safe(escape(text))
    pieces = re.split(f"({'|'.join(map(re.escape, words))})", text, flags=re.IGNORECASE)
    marked = (f"<mark>{escape(piece)}</mark>" if number % 2 else escape(piece) for number, piece in enumerate(pieces))
    return mark_safe("".join(marked))


def _around(text: str, words: list[str]) -> str:
    places = [place for word in words if (place := text.lower().find(word.lower())) >= 0]
    first = min(places, default=0)
    return text if first <= _BEFORE * 2 else "…" + text[first - _BEFORE :]


def _neighbour(chunk: Chunk, step: int) -> SafeString:
    found = Chunk.objects.filter(extraction=chunk.extraction_id, ordinal=chunk.ordinal + step).first()
    return render_to_string("admin/ingestion/chunk/neighbour.html", {"chunk": found})
