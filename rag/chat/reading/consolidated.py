"""The page of an act as of a day, with what other acts changed in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from knowledgetree.long_work import in_turn
from rag.chat.reading.documents import AS_WRITTEN, readable_or_404
from rag.chat.reading.highlighting import highlight
from rag.selectors.consolidated import ConsolidatedPart, ConsolidatedText, consolidated_text, is_consolidated

_MOST_SHOWN = 200_000
"""Characters; of a longer act what did not change is left to its own page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartHtml:
    """`html` is "" for what is left out."""

    part: ConsolidatedPart
    html: SafeString


@require_safe
@never_cache
def consolidated(request: HttpRequest, pk: int) -> HttpResponse:
    """`day`: as of when, in ISO notation; today without it. Http404 where nothing here changes the document."""
    found = readable_or_404(request.user, pk)
    if not is_consolidated(found, request.user):
        raise Http404
    record(AuditEntry.Action.READ, documents=[pk])
    wanted = request.GET.get("day", "")
    day = _parsed(wanted)
    with in_turn():
        text = consolidated_text(found, request.user, day or timezone.localdate())
        if text is None:
            raise Http404
        parts = _rendered(text, title=found.title)
    context = {"document": found, "text": text, "parts": parts, "misread": bool(wanted) and day is None}
    return render(request, "chat/consolidated.html", context)


def _parsed(wanted: str) -> date | None:
    try:
        return parse_date(wanted)
    except ValueError:
        return None


def _rendered(text: ConsolidatedText, *, title: str) -> Sequence[PartHtml]:
    is_long = sum(len(part.text) for part in text.parts) > _MOST_SHOWN
    markdown = text.extractor not in AS_WRITTEN

    def html(part: ConsolidatedPart) -> SafeString:
        left_out = is_long and not _is_touched(part)
        return SafeString("") if left_out else highlight(part.text.strip(), title=title, markdown=markdown).html

    return [PartHtml(part=part, html=html(part)) for part in text.parts if part.text.strip() or _is_touched(part)]


def _is_touched(part: ConsolidatedPart) -> bool:
    return bool(part.changes or part.later)
