"""Where a document says what a reader looks for: words in every inflection, quoted phrases as they stand."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ingestion.selectors import indexed_lemmas
from ingestion.text.analyser import Word, analyser
from ingestion.text.diacritics import fold
from ingestion.types import Token
from rag.chat.reading.likeness import SAME_BEGINNING, likeness, restored_lemmas
from rag.chat.rendering.sentinels import shown_ranges

MAX_QUERY = 200  # characters
MAX_HITS = 2000
SEARCHED = 5_000_000  # characters of a text: under a second
_MAX_UNITS = 8
_REACH, _REACH_A_UNIT = 40, 30  # characters in which all words of a query stand together
_QUOTED = re.compile(r"[\"„”“«»]([^\"„”“«»]*)[\"„”“«»]")
_WORD = re.compile(r"\w+")

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Characters [start, end) of each hit, in order. `apart`: no place has all the words, so each counts by itself.

    `more`: there are more hits than `MAX_HITS`; `searched`: characters of the text that were looked through.
    """

    query: str
    hits: tuple[Range, ...] = ()
    apart: bool = False
    more: bool = False
    searched: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Match:
    start: int
    end: int
    unit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """A word of the query: in the text it stands as one of `forms`, or as a form of one of `lemmas`."""

    forms: frozenset[str]
    lemmas: frozenset[str]

    def is_said_by(self, word: Word) -> bool:
        return word[0] in self.forms or word[1] in self.lemmas


def find(text: str, query: str) -> Finding:
    """What is hidden in Markdown (addresses of links, numbers of lists) is no hit: a reader would not see it."""
    query = " ".join(query.replace("\x00", "").split())[:MAX_QUERY]
    searched = text[:SEARCHED]
    phrases, words = _taken_apart(query)
    matches = [
        *_of_phrases(searched, phrases),
        *_of_words(searched, words, first_unit=len(phrases)),
    ]
    units = len(phrases) + len(words)
    hits = _together(searched, matches, units) if units else []
    apart = not hits and units > 1 and bool(matches)
    if apart:
        hits = sorted((match.start, match.end) for match in matches)
    shown = [found.range for found in shown_ranges(searched, hits[: MAX_HITS + 1])]
    return Finding(
        query=query,
        hits=tuple(shown[:MAX_HITS]),
        apart=apart and bool(shown),
        more=len(hits) > MAX_HITS,
        searched=len(searched),
    )


def _taken_apart(query: str) -> tuple[list[list[str]], list[Token]]:
    """Quoted phrases as words, and the other words; function words only where there is nothing else."""
    phrases = [words for quoted in _QUOTED.findall(query) if (words := _WORD.findall(quoted))]
    tokens = analyser().tokens(_QUOTED.sub(" ", query))
    places = [list(same) for _, same in groupby(tokens, key=lambda token: token.start)]
    words = [_most_telling(same) for same in places]
    telling = [word for word in words if not analyser().is_stop_word(word)]
    chosen = telling or ([] if phrases else words)
    return phrases[:_MAX_UNITS], chosen[: max(0, _MAX_UNITS - len(phrases))]


def _most_telling(same_place: Sequence[Token]) -> Token:
    """Of "art. 5" the provision, of a date the day, of "e-faktura" the whole word."""
    return same_place[-1] if any(character.isdigit() for character in same_place[-1].form) else same_place[0]


def _of_phrases(text: str, phrases: Iterable[Sequence[str]]) -> Iterator[_Match]:
    for unit, words in enumerate(phrases):
        pattern = r"(?<!\w)" + r"[\W_]{1,12}".join(map(re.escape, words)) + r"(?!\w)"
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield _Match(start=match.start(), end=match.end(), unit=unit)


def _of_words(text: str, words: Sequence[Token], *, first_unit: int) -> Iterator[_Match]:
    """Each different piece that begins like a word is looked at once; only its places are counted through."""
    if not words:
        return
    pieces = analyser().pieces(text)
    like = likeness(words)
    alike = [piece for piece in set(pieces) if like.search(piece)]
    analyser().learn(alike, indexed_lemmas)
    said = {piece: analyser().words_of([piece]) for piece in alike}
    wanted = _wanted(words, {word for found in said.values() for word in found})
    places = {piece: here for piece, found in said.items() if (here := _places(piece, found, wanted))}
    position = 0
    for piece in pieces:
        for start, end, unit in places.get(piece, ()):
            yield _Match(start=position + start, end=position + end, unit=first_unit + unit)
        position += len(piece) + 1  # pieces are cut at one character each


def _wanted(words: Sequence[Token], vocabulary: set[Word]) -> list[_Wanted]:
    return [_wanted_of(word, vocabulary) for word in words]


def _wanted_of(word: Token, vocabulary: set[Word]) -> _Wanted:
    """Typed without diacritics, a word stands for each that has them; written without them, for the word as typed."""
    if word.form.isascii() and word.form.isalpha():
        lemmas = {word.lemma, *restored_lemmas(word.form)}
        lemmas |= {lemma for form, lemma in vocabulary if word.form in (fold(form), fold(lemma))}
        return _Wanted(forms=frozenset({word.form}), lemmas=frozenset(lemmas))
    begin = fold(word.form)[:SAME_BEGINNING]
    bare = {form for form, _ in vocabulary if form.startswith(begin) and form.isascii() and form.isalpha()}
    meant = {form for form in bare if not _is_word(form) and word.lemma in restored_lemmas(form)}
    return _Wanted(forms=frozenset({word.form, *meant}), lemmas=frozenset({word.lemma}))


def _is_word(form: str) -> bool:
    return analyser().lemmatiser.knows(form)


def _places(piece: str, words: Sequence[Word], wanted: Sequence[_Wanted]) -> tuple[tuple[int, int, int], ...]:
    if not any(one.is_said_by(word) for one in wanted for word in words):
        return ()
    tokens = analyser().tokens(piece)
    found = {
        (token.start, token.end, unit)
        for unit, one in enumerate(wanted)
        for token in tokens
        if one.is_said_by((token.form, token.lemma))
    }
    return tuple(sorted(found))


def _together(text: str, matches: Iterable[_Match], units: int) -> list[Range]:
    """The shortest runs in which all units stand, none across a blank line, none overlapping."""
    hits: list[Range] = []
    latest: dict[int, _Match] = {}
    for match in sorted(matches, key=lambda match: (match.start, match.end)):
        latest[match.unit] = match
        if len(latest) < units:
            continue
        start, end = min(one.start for one in latest.values()), max(one.end for one in latest.values())
        if end - start <= _reach(latest.values()) and "\n\n" not in text[start:end]:
            hits.append((start, end))
            latest.clear()
    return hits


def _reach(matches: Iterable[_Match]) -> int:
    lengths = [match.end - match.start for match in matches]
    return sum(lengths) + (_REACH + _REACH_A_UNIT * len(lengths) if len(lengths) > 1 else 0)
