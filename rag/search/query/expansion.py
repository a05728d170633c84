"""Words that editors want searched beside the typed ones: synonyms, thesaurus, other names of glossary entries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from typing import Literal

from ingestion.models import Collection
from ingestion.text.analyser import analyser
from ingestion.types import Token
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.terms import QueryTerm

_LONGEST_PHRASE = 6  # words; longer synonyms are found by nobody's question, but still expand the others
_GLOSSARY_WEIGHT = 0.5

# Both branches begin at an index: synonym_phrase and glossary_phrases. OFFSET 0 keeps it at look-ups by key: for a
# hundred rows the planner would rather read all groups into a hash table (5 ms for 23,000 of them instead of 0.2).
_LOOK_UP = """
SELECT s.phrase, other.text, other.phrase, g.weight, g.source, g.id, other.position
FROM ingestion_synonym s
CROSS JOIN LATERAL (
    SELECT id, weight, source, direction FROM ingestion_synonymgroup
    WHERE id = s.group_id AND enabled AND (collection_id IS NULL OR collection_id = ANY(%(collections)s::int[]))
    OFFSET 0
) g
CROSS JOIN LATERAL (
    SELECT text, phrase, position FROM ingestion_synonym WHERE group_id = g.id OFFSET 0
) other
WHERE s.phrase = ANY(%(phrases)s::text[]) AND other.phrase NOT IN (s.phrase, '')
    AND (g.direction = 'two_way' OR NOT EXISTS (
        SELECT FROM ingestion_synonym first
        WHERE first.group_id = g.id AND (first.position, first.id) < (s.position, s.id)
    ))
UNION ALL
SELECT typed.phrase, other.text, other.phrase, %(glossary_weight)s, 'glossary', e.id, other.position
FROM ingestion_glossaryentry e
CROSS JOIN unnest(e.phrases) AS typed(phrase)
CROSS JOIN unnest(array_prepend(e.term, e.aliases), e.phrases) WITH ORDINALITY AS other(text, phrase, position)
WHERE e.phrases && %(phrases)s::varchar[] AND typed.phrase = ANY(%(phrases)s::text[]) AND other.phrase <> typed.phrase
    AND (e.collection_id IS NULL OR e.collection_id = ANY(%(collections)s::int[]))
"""

ExpansionSource = Literal["synonym", "thesaurus", "glossary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """A word or phrase to search beside the word or phrase `typed` in the question.

    `text` is as the editor wrote it, `lemmas` are its words without function words; all of them must occur in a chunk
    for the expansion to count. `weight` in (0, 1), against 1 of a typed word.
    """

    typed: str
    text: str
    lemmas: tuple[str, ...]
    weight: float
    source: ExpansionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class PhrasePlace:
    """Where in the question a phrase stands: `size` words from word `start` on."""

    start: int
    size: int
    typed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlacedExpansion:
    """`turn` counts the expansions of the same place, heaviest first."""

    place: PhrasePlace
    expansion: Expansion
    turn: int = 0


def expand(terms: Sequence[QueryTerm], *, collections: Sequence[Collection], limit: int = 6) -> tuple[Expansion, ...]:
    """At most `limit` expansions, heaviest first, each of other words than the question's. One query.

    Of equal weight each typed word gets one before any gets a second; then longer phrases go before single words.
    """
    places = phrase_places(terms)
    if not places or limit < 1:
        return ()
    candidates = _candidates(places, collections)
    asked = {reading.lemma for term in terms for reading in term.readings}
    chosen: dict[frozenset[str], Expansion] = {}
    for candidate in sorted(_in_turn(candidates), key=_order):
        lemmas = frozenset(candidate.expansion.lemmas)
        if not lemmas <= asked:
            chosen.setdefault(lemmas, candidate.expansion)
    return tuple(chosen.values())[:limit]


def _is_function_word(term: QueryTerm) -> bool:
    return analyser().is_stop_word(Token(form=term.typed, lemma=term.lemma, start=0, end=len(term.typed)))


def phrase_places(terms: Sequence[QueryTerm]) -> dict[str, PhrasePlace]:
    """Each run of neighbouring words, by its lemmas joined as in `Synonym.phrase`; the first of equal ones."""
    words = [term for term in terms if not _is_function_word(term)]
    places: dict[str, PhrasePlace] = {}
    for start in range(len(words)):
        for size in range(1, min(_LONGEST_PHRASE, len(words) - start) + 1):
            run = words[start : start + size]
            place = PhrasePlace(start=start, size=size, typed=" ".join(word.typed for word in run))
            for lemmas in _read(run):
                places.setdefault(" ".join(lemmas), place)
    return places


def _read(run: Sequence[QueryTerm]) -> Iterable[tuple[str, ...]]:
    """The lemmas of `run`: of one or two words in every reading, of more in the likeliest; else there were hundreds."""
    if len(run) > 2:
        return [tuple(word.lemma for word in run)]
    return product(*(dict.fromkeys(reading.lemma for reading in word.readings) for word in run))


def _candidates(places: dict[str, PhrasePlace], collections: Sequence[Collection]) -> list[_PlacedExpansion]:
    """By place, then by weight, then as the editors ordered them."""
    asked = {
        "phrases": list(places),
        "collections": [collection.pk for collection in collections],
        "glossary_weight": _GLOSSARY_WEIGHT,
    }
    rows = fetch(_LOOK_UP, asked)
    rows.sort(key=lambda row: (places[row[0]].start, places[row[0]].size, -row[3], *row[4:]))
    return [
        _PlacedExpansion(
            place=places[found],
            expansion=Expansion(
                typed=places[found].typed, text=text, lemmas=tuple(phrase.split()), weight=weight, source=source
            ),
        )
        for found, text, phrase, weight, source, _group, _position in rows
    ]


def _in_turn(candidates: Iterable[_PlacedExpansion]) -> Iterable[_PlacedExpansion]:
    for _place, of_place in groupby(candidates, key=lambda candidate: candidate.place):
        for turn, candidate in enumerate(of_place):
            yield _PlacedExpansion(place=candidate.place, expansion=candidate.expansion, turn=turn)


def _order(candidate: _PlacedExpansion) -> tuple[float, int, int, int]:
    return -candidate.expansion.weight, candidate.turn, -candidate.place.size, candidate.place.start
