"""The document page: the text with the cited passage marked, and the original to take away."""

from contextlib import nullcontext
from dataclasses import dataclass
from urllib.parse import urlencode

from asgiref.sync import sync_to_async
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.core.files.base import File
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models import Document
from ingestion.models.viewers import Viewer
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record, record_strictly
from knowledgetree.http.downloads import download
from knowledgetree.long_work import in_turn
from rag.chat.limits import SearchLimit
from rag.chat.reading.edited_chunks import both_texts, place_marked
from rag.chat.reading.highlighting import HighlightedText, highlight
from rag.chat.reading.hit_list import HitList, found_in
from rag.chat.reading.page_figures import below, page_at, page_figure
from rag.chat.reading.question_highlights import asked_words, with_words
from rag.chat.reading.windows import TextWindow, window
from rag.selectors.amendments import amendments_of
from rag.selectors.cited_place import CitedPassage
from rag.selectors.consolidated import is_consolidated
from rag.selectors.documents import ShownDocument, shown_document
from rag.selectors.texts import ShownText, chunk_text, cited_text


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPlace:
    """Lines of the text and, where the format has them, pages; both count from 1 and include their ends."""

    line_start: int
    line_end: int
    page_start: int | None = None
    page_end: int | None = None


def cited_place(text: ShownText, cited: CitedPassage) -> CitedPlace | None:
    """None where nothing is cited, or what was cited is lost."""
    if cited.end <= cited.start or cited.start >= len(text.text):
        return None
    first, last = cited.start, min(cited.end, len(text.text)) - 1
    return CitedPlace(
        line_start=_line(text, first),
        line_end=_line(text, last),
        page_start=_page(text, first),
        page_end=_page(text, last),
    )


def _line(text: ShownText, position: int) -> int:
    return text.text.count("\n", 0, position) + 1


def _page(text: ShownText, position: int) -> int | None:
    return page_at(text, position) if text.page_starts else None


def opened(document: Document) -> "File[bytes]":
    """The original of `document`; Http404 where it has none or the file is gone."""
    if not document.file:
        raise Http404
    try:
        return document.file.open("rb")
    except FileNotFoundError as error:
        raise Http404 from error


_LONG = 50_000  # characters: to find and mark words in more than this is long work
AS_WRITTEN = {"plain", "json"}  # extractors whose text is no Markdown


@require_safe
@never_cache
def document(request: HttpRequest, pk: int) -> HttpResponse:
    """`start`, `end` and `q`: the passage to mark (see `rag.search.links`), or `chunk`: its number.

    `part`: where to begin in a very long text.

    `find`: words to find in the text; `hit`: the number of the hit to go to. `page`: the page of a PDF to
    show as a picture.
    """
    found = readable_or_404(request.user, pk)
    record(AuditEntry.Action.READ, documents=[pk])
    context: dict[str, object] = {"document": found, "covers": found.covers, "may_edit": _may_edit(request)}
    read = named_text(request, found)
    if read:
        cited = read.cited
        part = _offset(request, "part") if "part" in request.GET else None
        context["find_refused"] = refused = bool(_query(request)) and _searches_too_often(request)
        with in_turn() if _query(request) and len(read.text) > _LONG else nullcontext():
            sought = None if refused else _sought(request, read)
            start, end = (sought and sought.place) or (cited.start, cited.end)
            shown = window(read.text, start=start, end=end, part=part)
            text = _highlighted(found, read, shown, sought)
        figure = page_figure(request, found.original, read) if found.original else None
        text = with_words(text, asked_words(request))
        if cited.correction:
            text = place_marked(text)
            markdown = read.extractor not in AS_WRITTEN
            context["both"] = both_texts(cited.correction, read.text, markdown=markdown)
        text = below(figure, text)
        context |= {"cited": cited, "window": shown, "text": text, "sought": sought, "figure": figure}
        context |= {"place": cited_place(read, cited), "second": read.second}
    if "fragment" in request.GET:
        return render(request, "chat/_document.html", context)
    context["amendments"] = amendments_of(found, request.user)
    context["consolidated"] = is_consolidated(found, request.user)
    context["more_facts"] = found.facts(pages=len(read.page_starts) if read else 0)
    context["ask_about"] = _question_about(found)
    return render(request, "chat/document.html", context, status=429 if context.get("find_refused") else 200)


@require_safe
async def original(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The file as it was taken in, always as a download: it may be HTML that somebody else wrote.

    Nothing can be covered in it, so who may not see personal data does not get it. That it leaves the house is recorded
    before its first byte, or it stays.
    """
    viewer = await request.auser()
    found = await sync_to_async(readable_or_404)(viewer, pk)
    if found.original is None:
        await sync_to_async(record)(AuditEntry.Action.DOWNLOAD, viewer=viewer, outcome="refused", documents=[pk])
        raise PermissionDenied
    file = await sync_to_async(opened)(found.original)
    await sync_to_async(_record_download)(viewer, pk, file)
    name = found.original.file_name or found.title
    return download(request, file, name=name, checksum=found.original.checksum)


def _record_download(viewer: Viewer, pk: int, file: "File[bytes]") -> None:
    try:
        record_strictly(AuditEntry.Action.DOWNLOAD, viewer=viewer, documents=[pk])
    except DatabaseError:
        file.close()
        raise


def named_text(request: HttpRequest, found: ShownDocument) -> ShownText | None:
    """The text of `found` with the passage that the parameters name; None where it has no text."""
    start, end = _offset(request, "start"), _offset(request, "end")
    read = chunk_text(found, chunk) if (chunk := _offset(request, "chunk")) else None
    return read or cited_text(found, start=start, end=end, wanted=request.GET.get("q", ""))


def readable_or_404(viewer: Viewer, pk: int) -> ShownDocument:
    """Http404 alike for a document that is not there and one that is not for this viewer."""
    try:
        return shown_document(viewer, pk)
    except ObjectDoesNotExist as error:
        raise Http404 from error


def _may_edit(request: HttpRequest) -> bool:
    """The page of the document in the administration, which asks once more, is open to its reader."""
    return bool(request.user.is_staff and request.user.has_perm("ingestion.change_document"))


def _question_about(found: ShownDocument) -> str:
    """Parameters of the chat page: its question, to be changed, and the collection."""
    question = gettext("What does “%(title)s” say?") % {"title": found.title}
    return urlencode({"collections": found.collection.slug, "q": question})


def _offset(request: HttpRequest, name: str) -> int:
    value = request.GET.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0


def _query(request: HttpRequest) -> str:
    return request.GET.get("find", "").strip()


def _searches_too_often(request: HttpRequest) -> bool:
    return not SearchLimit().allow_request(request, None)  # type: ignore[arg-type]


def _sought(request: HttpRequest, text: ShownText) -> HitList | None:
    """HitList in the text as the reader sees it. The first hit is gone to, unless a link named another place."""
    query = _query(request)
    if not query:
        return None
    elsewhere = "part" in request.GET or _offset(request, "end") > 0
    current = _offset(request, "hit") or (0 if elsewhere else 1)
    return found_in(text, query, current=current)


def _highlighted(found: ShownDocument, read: ShownText, shown: TextWindow, sought: HitList | None) -> HighlightedText:
    pages = [
        (number, position - shown.begin)
        for number, position in enumerate(read.page_starts, start=1)
        if shown.begin <= position < shown.end
    ]
    first_hit, hits = sought.in_window(shown) if sought else (1, [])
    return highlight(
        read.text[shown.begin : shown.end],
        start=max(0, read.cited.start - shown.begin),
        end=max(0, read.cited.end - shown.begin),
        pages=pages,
        hits=hits,
        first_hit=first_hit,
        markdown=read.extractor not in AS_WRITTEN,
        title=found.title,
    )
