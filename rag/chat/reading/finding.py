"""Where a document says what a reader looks for: words in every inflection, quoted phrases as they stand."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import groupby, islice

from ingestion.selectors import indexed_lemmas
from ingestion.text.analyser import Word, analyser
from ingestion.text.diacritics import fold
from ingestion.text.guessing import Guesses
from ingestion.text.matching import SAME_BEGINNING, lemmas_meant, likeness, restored_lemmas
from ingestion.types import Token
from knowledgetree.long_work import end_with_client
from rag.chat.rendering.sentinels import shown_ranges

MAX_QUERY = 200  # characters
MAX_HITS = 2000
SEARCHED = 5_000_000  # characters of a text: under a second
_MAX_UNITS = 8
_STEP = 10_000  # pieces between two looks at whether the reader still waits
_REACH, _REACH_A_UNIT = 40, 30  # characters in which all words of a query stand together
_QUOTED = re.compile(r"[\"„”“«»]([^\"„”“«»]*)[\"„”“«»]")
_WORD = re.compile(r"\w+")

Range = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextHits:
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
class _QueryWord:
    """A word of the query: in the text it stands as one of `forms`, or as a form of one of `lemmas`."""

    forms: frozenset[str]
    lemmas: frozenset[str]

    def is_said_by(self, word: Word) -> bool:
        return word[0] in self.forms or word[1] in self.lemmas


def find(text: str, query: str) -> TextHits:
    """What is hidden in Markdown (addresses of links, numbers of lists) is no hit: a reader would not see it."""
    query = " ".join(query.replace("\x00", "").split())[:MAX_QUERY]
    searched = text[:SEARCHED]
    phrases, words = _taken_apart(query)
    units = len(phrases) + len(words)
    matches = _Matches(searched, phrases, words)
    hits = list(islice(_together(searched, matches, units), MAX_HITS + 1)) if units else []
    apart = not hits and units > 1
    if apart:
        hits = [(match.start, match.end) for match in islice(matches, MAX_HITS + 1)]
    shown = [found.range for found in shown_ranges(searched, hits[: MAX_HITS + 1])]
    return TextHits(
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


class _Matches:
    """The places of phrases and words, in order, found while they are asked for: a text may have millions."""

    def __init__(self, text: str, phrases: Sequence[Sequence[str]], words: Sequence[Token]) -> None:
        self._text = text
        self._phrases = phrases
        self._first_word = len(phrases)
        self._pieces = analyser().pieces(text) if words else []
        self._places = _places_of(words, set(self._pieces)) if words else {}

    def __iter__(self) -> Iterator[_Match]:
        phrases = [_of_phrase(self._text, words, unit) for unit, words in enumerate(self._phrases)]
        return merge(*phrases, self._of_words(), key=lambda match: (match.start, match.end))

    def _of_words(self) -> Iterator[_Match]:
        """Each different piece that begins like a word was looked at once; only its places are counted through."""
        position = 0
        for number, piece in enumerate(self._pieces):
            if number % _STEP == 0:
                end_with_client()
            for start, end, unit in self._places.get(piece, ()):
                yield _Match(start=position + start, end=position + end, unit=self._first_word + unit)
            position += len(piece) + 1  # pieces are cut at one character each


def _of_phrase(text: str, words: Sequence[str], unit: int) -> Iterator[_Match]:
    pattern = r"(?<!\w)" + r"[\W_]{1,12}".join(map(re.escape, words)) + r"(?!\w)"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        yield _Match(start=match.start(), end=match.end(), unit=unit)


def _places_of(words: Sequence[Token], pieces: Collection[str]) -> dict[str, tuple[tuple[int, int, int], ...]]:
    """Where each of `pieces` says one of `words`; which of them each place says."""
    guesses = Guesses(analyser().lemmatiser)
    like = likeness(words, guesses)
    alike = [piece for piece in pieces if like.search(piece)]
    analyser().learn(alike, indexed_lemmas)
    said = {piece: analyser().words_of([piece]) for piece in alike}
    vocabulary = {word for found in said.values() for word in found}
    wanted = [_wanted_of(word, vocabulary, guesses) for word in words]
    return {piece: here for piece, found in said.items() if (here := _places(piece, found, wanted))}


def _wanted_of(word: Token, vocabulary: set[Word], guesses: Guesses) -> _QueryWord:
    """Typed without diacritics, a word stands for each that has them; written without them, for the word as typed."""
    if word.form.isascii() and word.form.isalpha():
        bearing = {lemma for form, lemma in vocabulary if word.form in (fold(form), fold(lemma))}
        return _QueryWord(forms=frozenset({word.form}), lemmas=lemmas_meant(word, guesses) | bearing)
    begin = fold(word.form)[:SAME_BEGINNING]
    bare = {form for form, _ in vocabulary if form.startswith(begin) and form.isascii() and form.isalpha()}
    meant = {form for form in bare if not _is_word(form) and word.lemma in restored_lemmas(form, guesses)}
    return _QueryWord(forms=frozenset({word.form, *meant}), lemmas=frozenset({word.lemma}))


def _is_word(form: str) -> bool:
    return analyser().lemmatiser.knows(form)


def _places(piece: str, words: Sequence[Word], wanted: Sequence[_QueryWord]) -> tuple[tuple[int, int, int], ...]:
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


def _together(text: str, matches: Iterable[_Match], units: int) -> Iterator[Range]:
    """The shortest runs in which all units stand, none across a blank line, none overlapping."""
    latest: dict[int, _Match] = {}
    for match in matches:
        latest[match.unit] = match
        if len(latest) < units:
            continue
        start, end = min(one.start for one in latest.values()), max(one.end for one in latest.values())
        if end - start <= _reach(latest.values()) and "\n\n" not in text[start:end]:
            yield start, end
            latest.clear()


def _reach(matches: Iterable[_Match]) -> int:
    lengths = [match.end - match.start for match in matches]
    return sum(lengths) + (_REACH + _REACH_A_UNIT * len(lengths) if len(lengths) > 1 else 0)
