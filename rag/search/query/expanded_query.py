"""A question with what its editors want searched beside it."""

from collections.abc import Sequence
from dataclasses import replace

from ingestion.models import Collection
from rag.search.query.analysis import AnalysedQuery, analyse_query
from rag.search.query.expansion import Expansion, expand
from rag.search.query.terms import PhraseAlternative, QueryTerm, TermReading
from rag.search.query.vocabulary import Vocabulary, VocabularyTerm


def guarded_keys(collections: Sequence[Collection]) -> list[int]:
    """Those whose personal data are covered for the viewer (see `ingestion.library.privacy.as_seen_by`)."""
    return [collection.pk for collection in collections if collection.mask_personal_data]


def analysed_and_expanded(text: str, collections: Sequence[Collection]) -> AnalysedQuery:
    """The question in the words of `collections`, with its synonyms."""
    keys = [collection.pk for collection in collections]
    return expanded(analyse_query(text, keys, guarded_keys(collections)), collections)


def expanded(query: AnalysedQuery, collections: Sequence[Collection]) -> AnalysedQuery:
    """Single words become readings of the word they stand for, phrases alternatives beside the question.

    A synonym with a word that no searched collection has is left out.
    """
    found = expand(query.terms, collections=collections)
    if not found:
        return query
    vocabulary = Vocabulary([collection.pk for collection in collections], guarded_keys(collections))
    known = vocabulary.terms(lemma for expansion in found for lemma in expansion.lemmas)
    usable = [expansion for expansion in found if all(lemma in known for lemma in expansion.lemmas)]
    terms = [_with_synonyms(term, usable, known) for term in query.terms]
    phrases = tuple(
        PhraseAlternative(
            typed=expansion.typed,
            text=expansion.text,
            terms=tuple(known[lemma] for lemma in expansion.lemmas),
            weight=expansion.weight,
        )
        for expansion in usable
        if len(expansion.lemmas) > 1
    )
    return replace(query, terms=tuple(terms), alternatives=phrases)


def _with_synonyms(term: QueryTerm, expansions: Sequence[Expansion], known: dict[str, VocabularyTerm]) -> QueryTerm:
    """A synonym of a phrase goes to the phrase's first word."""
    readings = [
        TermReading(form=lemma, lemma=lemma, lemma_term=known[lemma], weight=expansion.weight)
        for expansion in expansions
        if len(expansion.lemmas) == 1 and expansion.typed.split()[0] == term.typed
        for lemma in expansion.lemmas
    ]
    return replace(term, readings=(*term.readings, *readings)) if readings else term
