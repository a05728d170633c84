"""A question with the other words that are searched beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from ingestion.models import Collection
from ingestion.selectors.clearance import UNCLEARED, Clearance
from rag.search.query.analysis import AnalysedQuery, analyse_query
from rag.search.query.expansion import Expansion, expand
from rag.search.query.terms import Alternative
from rag.search.query.vocabulary import Vocabulary

_MOST_CONSIDERED = 120
_MOST = {"lexicon": 12}
_MOST_OF_EDITORS = 6  # of each other source


def guarded_keys(collections: Sequence[Collection]) -> list[int]:
    """Those whose personal data are covered for the viewer (see `ingestion.library.privacy.as_seen_by`)."""
    return [collection.pk for collection in collections if collection.mask_personal_data]


def analysed_and_expanded(
    text: str, collections: Sequence[Collection], *, clearance: Clearance = UNCLEARED
) -> AnalysedQuery:
    """The question in the words of `collections`, with its synonyms."""
    keys = [collection.pk for collection in collections]
    query = analyse_query(text, keys, guarded_keys(collections), clearance=clearance)
    return expanded(query, collections, clearance=clearance)


def expanded(
    query: AnalysedQuery, collections: Sequence[Collection], *, clearance: Clearance = UNCLEARED
) -> AnalysedQuery:
    """With its alternatives. One with a word that nothing has which is searched is left out."""
    found = expand(query, collections=collections, limit=_MOST_CONSIDERED)
    if not found:
        return query
    keys = [collection.pk for collection in collections]
    vocabulary = Vocabulary(keys, guarded_keys(collections), clearance=clearance)
    known = vocabulary.terms(lemma for expansion in found for lemma in expansion.lemmas)
    usable = [expansion for expansion in found if all(lemma in known for lemma in expansion.lemmas)]
    alternatives = tuple(
        Alternative(
            typed=expansion.typed,
            text=expansion.text,
            terms=tuple(known[lemma] for lemma in expansion.lemmas),
            weight=expansion.weight,
            source=expansion.source,
            stands_for=expansion.terms,
        )
        for expansion in _heaviest(usable)
    )
    return replace(query, alternatives=alternatives)


def weighed(query: AnalysedQuery, share: float) -> AnalysedQuery:
    """Other words from the lexicon keep `share` of their weight, in [0, 1]; without any they are not searched."""
    if share == 1:
        return query
    kept = (one for one in query.alternatives if share or one.source != "lexicon")
    lighter = (replace(one, weight=share * one.weight) if one.source == "lexicon" else one for one in kept)
    return replace(query, alternatives=tuple(lighter))


def _heaviest(usable: Sequence[Expansion]) -> Iterable[Expansion]:
    """The first of each source; the lexicon has many for one question, and each is checked for its context."""
    for source in dict.fromkeys(expansion.source for expansion in usable):
        of_source = (expansion for expansion in usable if expansion.source == source)
        yield from islice(of_source, _MOST.get(source, _MOST_OF_EDITORS))
