"""Words that are searched beside the typed ones: synonyms, lexicon, thesaurus, other names of glossary entries."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from ingestion.models import Collection
from ingestion.text.analyser import analyser
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.phrase_places import PhrasePlace, SaidWord, everyday_runs, phrase_runs, placed, said_words
from rag.types import SubstituteOrigin

_GLOSSARY_WEIGHT = 0.5
_LEAST_CAPITALS = 2  # letters of an abbreviation
_LEXICON = "lexicon"

# Both branches begin at an index: synonym_found_by and glossary_phrases. OFFSET 0 keeps it at look-ups by key: for a
# hundred rows the planner would rather read all groups into a hash table (5 ms for 23,000 of them instead of 0.2).
_LOOK_UP = """
SELECT s.found_by, other.text, other.phrase, g.weight, g.source, g.pack_id, g.id, other.position, s.text, s.context
FROM ingestion_synonym s
CROSS JOIN LATERAL (
    SELECT id, weight, source, direction, coalesce(pack_id, 0) AS pack_id FROM ingestion_synonymgroup
    WHERE id = s.group_id AND enabled AND (collection_id IS NULL OR collection_id = ANY(%(collections)s::int[]))
        AND NOT EXISTS (SELECT FROM ingestion_lexiconpack WHERE id = pack_id AND NOT enabled)
    OFFSET 0
) g
CROSS JOIN LATERAL (
    SELECT text, phrase, position, leads FROM ingestion_synonym WHERE group_id = g.id OFFSET 0
) other
WHERE s.found_by = ANY(%(phrases)s::text[]) AND other.phrase NOT IN (s.phrase, '')
    AND (g.direction = 'two_way' OR (s.leads AND NOT other.leads))
UNION ALL
SELECT typed.phrase, other.text, other.phrase, %(glossary_weight)s, 'glossary', 0, e.id, other.position, '', NULL
FROM ingestion_glossaryentry e
CROSS JOIN unnest(e.phrases) AS typed(phrase)
CROSS JOIN unnest(array_prepend(e.term, e.aliases), e.phrases) WITH ORDINALITY AS other(text, phrase, position)
WHERE e.phrases && %(phrases)s::varchar[] AND typed.phrase = ANY(%(phrases)s::text[]) AND other.phrase <> typed.phrase
    AND (e.collection_id IS NULL OR e.collection_id = ANY(%(collections)s::int[]))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """A word or phrase to search beside the word or phrase `typed` in the question.

    `text` is as the editor wrote it, `lemmas` are its words without function words; all of them must occur in a chunk
    for the expansion to count. `weight` in (0, 1), against 1 of a typed word. `terms` are the numbers of the typed
    words among those that are searched.
    """

    typed: str
    text: str
    lemmas: tuple[str, ...]
    weight: float
    source: SubstituteOrigin
    terms: tuple[int, ...] = ()


class _Listed(NamedTuple):
    """`said` is the synonym that the question has; `context` of it is None where it needs none."""

    found_by: str
    text: str
    phrase: str
    weight: float
    source: SubstituteOrigin
    pack: int
    group: int
    position: int
    said: str
    context: list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _PlacedExpansion:
    """`turn` counts the expansions of the same place, heaviest first."""

    place: PhrasePlace
    expansion: Expansion
    turn: int = 0


def expand(query: AnalysedQuery, *, collections: Sequence[Collection], limit: int = 6) -> tuple[Expansion, ...]:
    """At most `limit` expansions, heaviest first, each of other words than the question's. One query.

    Of equal weight each typed word gets one before any gets a second; then longer phrases go before single words.
    """
    words = said_words(query.text, query.terms)
    runs = everyday_runs(words) | phrase_runs(words)
    if not runs or limit < 1:
        return ()
    listed = _listed(runs, collections)
    places = {found: placed(runs[found], query.terms) for found in {row.found_by for row in listed}}
    candidates = _candidates(listed, words, places)
    asked = {reading.lemma for term in query.terms for reading in term.readings}
    chosen: dict[frozenset[str], Expansion] = {}
    for candidate in sorted(_in_turn(candidates), key=_order):
        lemmas = frozenset(candidate.expansion.lemmas)
        if not lemmas <= asked:
            chosen.setdefault(lemmas, candidate.expansion)
    return tuple(chosen.values())[:limit]


def _listed(phrases: Iterable[str], collections: Sequence[Collection]) -> list[_Listed]:
    """What is listed for any of `phrases`."""
    asked = {
        "phrases": list(phrases),
        "collections": [collection.words_of for collection in collections],
        "glossary_weight": _GLOSSARY_WEIGHT,
    }
    return [_Listed._make(row) for row in fetch(_LOOK_UP, asked)]


def _candidates(
    listed: Iterable[_Listed], words: Sequence[SaidWord], places: Mapping[str, PhrasePlace]
) -> list[_PlacedExpansion]:
    """By place, then by weight, then what most groups have, then as the editors ordered them. Before groups come packs:
    groups of a pack that was loaded anew have later keys, and an upgrade would change what is found.
    """
    rows = [row for row in listed if _is_meant(row, words, places[row.found_by])]
    everyday = {places[row.found_by] for row in rows if row.source == _LEXICON}
    hidden = {place for place in everyday if any(place.within(other) for other in everyday)}
    rows = [row for row in rows if not (row.source == _LEXICON and places[row.found_by] in hidden)]
    groups = Counter((places[row.found_by], row.phrase) for row in rows)

    def order(row: _Listed) -> tuple[int, int, float, str, int, int, int, int]:
        place = places[row.found_by]
        many = groups[place, row.phrase]
        return place.start, place.size, -row.weight, row.source, -many, row.pack, row.group, row.position

    rows.sort(key=order)
    return [
        _PlacedExpansion(place=places[row.found_by], expansion=_expansion(row, places[row.found_by])) for row in rows
    ]


def _expansion(row: _Listed, place: PhrasePlace) -> Expansion:
    return Expansion(
        typed=place.typed,
        text=row.text,
        lemmas=tuple(row.phrase.split()),
        weight=row.weight,
        source=row.source,
        terms=place.terms,
    )


def _is_meant(row: _Listed, words: Sequence[SaidWord], place: PhrasePlace) -> bool:
    """Whether the word has its context elsewhere in the question; an abbreviation stands in capitals, or is no word."""
    if row.source != _LEXICON or not place.terms:
        return row.source != _LEXICON
    around = {lemma for number, word in enumerate(words) if number not in place.words for lemma in word.lemmas}
    if row.context and not any(set(phrase.split()) <= around for phrase in row.context):
        return False
    written = {words[number].written for number in place.words}
    return all(_is_abbreviated(short, written) for short in row.said.split() if _is_short(short))


def _is_short(word: str) -> bool:
    return len(word) >= _LEAST_CAPITALS and word.isupper()


def _is_abbreviated(short: str, written: Iterable[str]) -> bool:
    return not analyser().lemmatiser.knows(short.lower()) or any(word.startswith(short) for word in written)


def _in_turn(candidates: Iterable[_PlacedExpansion]) -> Iterable[_PlacedExpansion]:
    for _place, of_place in groupby(candidates, key=lambda candidate: candidate.place):
        for turn, candidate in enumerate(of_place):
            yield replace(candidate, turn=turn)


def _order(candidate: _PlacedExpansion) -> tuple[float, int, int, int]:
    return -candidate.expansion.weight, candidate.turn, -candidate.place.size, candidate.place.start
