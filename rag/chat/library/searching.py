"""Searching the library: documents by their title and by what they say, each once with its best passage."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from ingestion.library.documents import titled
from ingestion.models.documents import DocumentQuerySet
from ingestion.models.viewers import Viewer
from knowledgetree.errors import KnowledgeTreeError
from rag.chat.limits import SearchLimit
from rag.chat.tags import without_markup
from rag.search.hits import forms_found, hit_places
from rag.search.links import passage_url
from rag.selectors.documents import ShownDocument, shown_documents
from rag.services.search import search_passages
from rag.types import Filters, Passage

_PASSAGES = 40
_BY_TITLE = 10
_EXCERPT = 320  # characters
_BEFORE_HIT = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """`excerpt` is "" for a document found by its title alone; `wanted` are the forms to mark in it."""

    document: ShownDocument
    url: str
    by_title: bool
    excerpt: str = ""
    wanted: frozenset[str] = frozenset()
    heading: str = ""
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """`refused`: the viewer searches too often; `problem`: why the texts were not searched, for the reader."""

    documents: tuple[Result, ...] = ()
    refused: bool = False
    problem: str = ""


def search_library(request: HttpRequest, words: str, *, readable: DocumentQuerySet, filters: Filters) -> Results:
    """Documents of `readable`, open to the viewer, that `filters` describe; those with `words` in the title first."""
    if not SearchLimit().allow_request(request, None):  # type: ignore[arg-type]
        return Results(refused=True)
    viewer = request.user
    by_title = titled(viewer, readable, words)[:_BY_TITLE]
    passages, problem = _passages(viewer, words, filters)
    best: dict[int, Passage] = {}
    for passage in passages:
        best.setdefault(passage.document_id, passage)
    order = dict.fromkeys([*(pk for pk in best if pk in by_title), *by_title, *best])
    documents = readable.in_bulk(list(order))  # read anew: what was closed meanwhile is left out
    shown = shown_documents(viewer, [documents[pk] for pk in order if pk in documents])
    return Results(
        documents=tuple(_result(document, best.get(document.pk), document.pk in by_title) for document in shown),
        problem=problem,
    )


def _passages(viewer: Viewer, words: str, filters: Filters) -> tuple[Sequence[Passage], str]:
    try:
        return search_passages(query=words, viewer=viewer, filters=filters, top_k=_PASSAGES).passages, ""
    except KnowledgeTreeError as error:
        return (), str(error)


def _result(document: ShownDocument, passage: Passage | None, by_title: bool) -> Result:
    if passage is None:
        address = reverse("chat:document", args=[document.pk])
        return Result(document=document, url=address, by_title=by_title)
    wanted = forms_found(passage.explanation.words)
    return Result(
        document=document,
        url=passage_url(passage.document_id, passage.start, passage.end, passage.text),
        by_title=by_title,
        excerpt=_excerpt(without_markup(passage.text), wanted),
        wanted=wanted,
        heading=" › ".join(
            heading for heading in passage.heading_path if heading.casefold() != document.title.casefold()
        ),
        page=passage.page_start,
    )


def _excerpt(text: str, wanted: frozenset[str]) -> str:
    """About 320 characters, from a little before the first word that was found."""
    places = hit_places(text, wanted)
    begin = max(0, places[0][0] - _BEFORE_HIT) if places else 0
    begin = text.find(" ", begin) + 1 if begin else 0
    cut = text[begin : begin + _EXCERPT]
    if begin + _EXCERPT < len(text):
        cut = cut.rpartition(" ")[0] + "…"
    return ("…" if begin else "") + cut
