"""Analyses and expansions of questions, kept for some minutes while the knowledge base stays as it is."""

import hashlib
from collections.abc import Sequence

from django.core.cache import caches

from ingestion.knowledge_version import knowledge_version
from ingestion.models import Collection
from rag.query.analysis import AnalysedQuery, analyse_query
from rag.query.expanded import expanded


def expanded_query(text: str, collections: Sequence[Collection], *, seconds: float) -> AnalysedQuery:
    """The question analysed in the words of `collections`, with its synonyms; 0 `seconds`: always anew.

    Words, counts and corrections rest on what these collections hold, so both are in the key.
    """
    if seconds <= 0:
        return _computed(text, collections)
    kept = caches["results"]
    key = _key(text, collections)  # before the computation: what changes meanwhile must not be kept as new
    query: AnalysedQuery | None = kept.get(key)
    if query is None:
        query = _computed(text, collections)
        kept.set(key, query, seconds)
    return query


def _computed(text: str, collections: Sequence[Collection]) -> AnalysedQuery:
    return expanded(analyse_query(text, [collection.pk for collection in collections]), collections)


def _key(text: str, collections: Sequence[Collection]) -> str:
    ids = sorted(collection.pk for collection in collections)
    parts = ("query", knowledge_version(ids), *map(str, ids), text)
    return hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()
