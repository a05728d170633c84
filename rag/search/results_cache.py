"""What a search asks anew each time, kept for some minutes while the knowledge base stays as it is."""

import hashlib
from collections.abc import Sequence

from django.core.cache import caches

from ingestion.models import Collection
from ingestion.selectors.clearance import UNCLEARED, Clearance, version_seen
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.expanded_query import analysed_and_expanded, guarded_keys


def expanded_query(
    text: str, collections: Sequence[Collection], *, seconds: float, clearance: Clearance = UNCLEARED
) -> AnalysedQuery:
    """The question analysed in the words of `collections`, with its synonyms; 0 `seconds`: always anew.

    Words, counts and corrections rest on what these collections hold and what of it the viewer may look up.
    """
    if seconds <= 0:
        return analysed_and_expanded(text, collections, clearance=clearance)
    kept = caches["results"]
    # Before the computation: what changes meanwhile must not be kept as new.
    key = _key("query", text, collections, clearance)
    query: AnalysedQuery | None = kept.get(key)
    if query is None:
        query = analysed_and_expanded(text, collections, clearance=clearance)
        kept.set(key, query, seconds)
    return query


def _key(what: str, text: str, collections: Sequence[Collection], clearance: Clearance) -> str:
    ids = sorted(collection.pk for collection in collections)
    guarded = sorted(guarded_keys(collections))
    known = (version_seen(clearance, ids), *map(str, ids), "guarded", *map(str, guarded), repr(clearance))
    parts = (what, *known, text)
    return hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()
