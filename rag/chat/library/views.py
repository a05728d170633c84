"""The library: the collections, the documents of one, and the search over either."""

from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.library.documents import Narrowing, choices_of, collection_cards, documents_of
from ingestion.models import Collection, Document
from ingestion.selectors import readable_documents, visible_collections
from rag.chat.library.forms import listing, searched_words
from rag.chat.library.kinds import kinds
from rag.chat.library.searching import search_library
from rag.selectors.communities import shown_communities
from rag.selectors.documents import shown_documents
from rag.types import Filters

A_PAGE = 50


@require_safe
@never_cache
def library(request: HttpRequest) -> HttpResponse:
    """`q`: what to search for in everything readable."""
    cards = collection_cards(request.user)
    words, everything = searched_words(request), Filters(include_expired=True)
    readable = readable_documents(request.user)
    results = search_library(request, words, readable=readable, filters=everything) if words else None
    context = {
        "cards": cards,
        "total": sum(card.documents for card in cards),
        "words": words,
        "results": results,
    }
    return render(request, "library/library.html", context, status=_status(results))


@require_safe
@never_cache
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    """`q` is searched for; `category`, `tag`, `language`, `kind` and `in_force` narrow the list; `order`, `page`."""
    found = get_object_or_404(visible_collections(request.user), slug=slug)
    choices, words = choices_of(request.user, found), searched_words(request)
    chosen = listing(request, choices)
    documents = documents_of(request.user, found, chosen.narrowing, chosen.order)
    pages = Paginator(documents, A_PAGE)
    if not chosen.narrows:
        pages.count = choices.documents  # counted with them
    page: Page[Document] = pages.get_page(request.GET.get("page"))
    filters = _filters(found, chosen.narrowing)
    results = search_library(request, words, readable=documents, filters=filters) if words else None
    whole = not words and not chosen.narrows and page.number == 1
    context = {
        "words": words,
        "topics": shown_communities(request.user, found) if whole else [],
        "collection": found,
        "choices": choices,
        "kinds": kinds(choices.media_types),
        "chosen": chosen,
        "page": page,
        "rows": shown_documents(request.user, page),
        "query": _query(request),
        "results": results,
    }
    return render(request, "library/collection.html", context, status=_status(results))


def _filters(found: Collection, narrowing: Narrowing) -> Filters:
    """The same for the search of the texts."""
    return Filters(
        collections=(found.slug,),
        categories=(narrowing.category,) if narrowing.category else (),
        tags=(narrowing.tag,) if narrowing.tag else (),
        languages=(narrowing.language,) if narrowing.language else (),
        media_types=narrowing.media_types,
        include_expired=not narrowing.in_force,
    )


def _query(request: HttpRequest) -> str:
    """The parameters of this list, for links to its other pages."""
    return urlencode([(name, value) for name, value in request.GET.items() if name != "page" and value])


def _status(results: object) -> int:
    return 429 if getattr(results, "refused", False) else 200
