"""What passages show of a question's words, as numbers. Each signal is in [0, 1] but `length` and takes no model.

All passages of a search are looked at together, their words as keys in one row. Word i of a passage counts from 0 and
includes title and headings. idf weighs the words of the question throughout.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.text.analyser import Word
from ingestion.text.index_format.word_sequences import Keys, WordsInOrder, beginning
from ingestion.text.morphology.kinship import LEAST, alike

Numbers = NDArray[np.floating[Any]]

_NEAR = 6  # words that may stand between those of a phrase
_EARLY = 8  # words after which the value of an early mention has fallen to 1 / log2(3)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherWords:
    """A word or phrase that stands for a typed word, by its `lemmas`, with their `keys` in the index.

    `worth` in (0, 1]: what a passage gets that has all of them, against 1 for the typed word.
    """

    lemmas: tuple[str, ...]
    keys: frozenset[int] = frozenset()
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWord:
    """`forms` and `lemmas` of all readings, `keys` of the lemmas in the index; `idf` in nats; `name`: typed with a
    capital in the middle; `others` are words for it that nobody typed.
    """

    forms: frozenset[str]
    lemmas: frozenset[str]
    keys: frozenset[int] = frozenset()
    idf: float
    name: bool = False
    others: tuple[OtherWords, ...] = ()


@dataclass(frozen=True, kw_only=True)
class QuestionSignals:
    """`words` carry the topic; `pairs` are the neighbours in the question as typed, function words included, by lemma,
    each with its weight.
    """

    words: tuple[QuestionWord, ...]
    pairs: tuple[tuple[tuple[str, str], float], ...] = ()

    @cached_property
    def idf(self) -> float:
        return sum(word.idf for word in self.words) or 1.0

    @cached_property
    def others(self) -> tuple[OtherWords, ...]:
        """Each once, though it may stand for several words."""
        return tuple(dict.fromkeys(other for word in self.words for other in word.others))

    @cached_property
    def word_texts(self) -> frozenset[str]:
        """The forms and lemmas of the words, and the lemmas of others for them."""
        asked = (word.forms | word.lemmas for word in self.words)
        return frozenset().union(*asked, *(other.lemmas for other in self.others))

    @cached_property
    def texts(self) -> frozenset[str]:
        """All that a passage is asked for word by word."""
        return self.word_texts.union(*(pair for pair, _ in self.pairs))

    def candidates(self, words: WordsInOrder) -> list[int]:
        """The keys of forms that may matter: of a lemma that is asked for, or beginning like a form that is."""
        begins = np.zeros(256, dtype=bool)
        begins[[beginning(form) for word in self.words for form in word.forms if len(form) >= LEAST]] = True
        lemmas = frozenset().union(*(word.keys for word in self.words), *(other.keys for other in self.others))
        found: list[int] = np.unique(words.forms[begins[words.beginnings] | _among(words.lemmas, lemmas)]).tolist()
        return found

    def asks(self, text: str) -> bool:
        """Whether it matters where a word stands."""
        return text in self.texts or text[:LEAST] in self._beginnings

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        """The first letters that akin words share with a form."""
        return frozenset(form[:LEAST] for word in self.words for form in word.forms if len(form) >= LEAST)


class PassageWords:
    """The words of passages. `keys` has those that the question asks for, by their text."""

    def __init__(self, passages: Sequence[WordsInOrder], keys: Mapping[str, int]) -> None:
        self.lengths = np.array([len(words.forms) for words in passages])
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.passage = np.repeat(np.arange(len(passages)), self.lengths)
        self.forms, self.lemmas, _ = WordsInOrder.joined(passages)
        self._keys = keys
        self._together: dict[tuple[str, ...], Numbers] = {}

    def keys_of(self, texts: Iterable[str]) -> list[int]:
        return [self._keys[text] for text in texts if text in self._keys]

    def first(self, lemmas: Iterable[str]) -> Numbers:
        """By passage the first place of any of `lemmas`; infinite where it has none."""
        found = np.flatnonzero(_among(self.lemmas, self.keys_of(lemmas)))[::-1]  # the last to be written is the first
        places = np.full(len(self.lengths), np.inf)
        places[self.passage[found]] = found - self.starts[self.passage[found]]
        return places

    def together(self, lemmas: tuple[str, ...]) -> Numbers:
        """By passage the first place of a word that has all the others near it; infinite where there is none."""
        if lemmas not in self._together:
            self._together[lemmas] = self._first_together(lemmas)
        return self._together[lemmas]

    def _first_together(self, lemmas: tuple[str, ...]) -> Numbers:
        if len(set(lemmas)) == 1:
            return self.first(lemmas)
        rows = sorted((np.flatnonzero(_among(self.lemmas, self.keys_of([lemma]))) for lemma in set(lemmas)), key=len)
        anchor, reach = rows[0], len(lemmas) + _NEAR
        for row in rows[1:]:
            anchor = anchor[self._have_near(anchor, row, reach)]
        places = np.full(len(self.lengths), np.inf)
        last_first = anchor[::-1]
        places[self.passage[last_first]] = last_first - self.starts[self.passage[last_first]]
        return places

    def _have_near(self, places: NDArray[np.intp], others: NDArray[np.intp], reach: int) -> NDArray[np.bool_]:
        """Of which places one of the `others` stands at most `reach` words away in the same passage."""
        after = np.searchsorted(others, places)
        near = np.zeros(len(places), dtype=bool)
        for step in (after - 1, after):
            inside = (step >= 0) & (step < len(others))
            other = others[np.clip(step, 0, len(others) - 1)] if len(others) else places
            near |= inside & (abs(other - places) <= reach) & (self.passage[other] == self.passage[places])
        return near

    def neighbours(self, left: str, right: str) -> NDArray[np.bool_]:
        """Whether the lemma `right` follows the lemma `left` anywhere in a passage."""
        has = np.zeros(len(self.lengths), dtype=bool)
        if left in self._keys and right in self._keys:
            follows = (self.lemmas[:-1] == self._keys[left]) & (self.lemmas[1:] == self._keys[right])
            at = np.flatnonzero(follows)
            has[self.passage[at][self.passage[at] == self.passage[at + 1]]] = True
        return has

    def kinship(self, forms: Iterable[str]) -> Numbers:
        """1 where one of the forms itself occurs, else the greatest share of letters that a word begins with alike."""
        likeness = np.zeros(len(self._known))
        for form in forms:
            for number, text in self._by_beginning.get(form[:LEAST], ()):
                likeness[number] = max(likeness[number], 1.0 if form == text else alike(form, text))
        greatest = np.zeros(len(self.lengths))
        at, which = self._known_forms
        np.maximum.at(greatest, self.passage[at], likeness[which])
        return greatest

    def asked(self, number: int, texts: Iterable[str]) -> list[Word]:
        """The words of passage `number` whose form or lemma is one of `texts`, in their order."""
        here = slice(self.starts[number], self.starts[number] + self.lengths[number])
        forms, lemmas, wanted = self.forms[here], self.lemmas[here], self.keys_of(texts)
        found = _among(lemmas, wanted) | _among(forms, wanted)
        pairs = zip(forms[found].tolist(), lemmas[found].tolist(), strict=True)
        return [(self._texts.get(form, ""), self._texts.get(lemma, "")) for form, lemma in pairs]

    @cached_property
    def _known(self) -> list[str]:
        """The known texts, by ascending key."""
        return sorted(self._keys, key=self._keys.__getitem__)

    @cached_property
    def _known_forms(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places of forms that are known, and which one it is there."""
        known = np.array([self._keys[text] for text in self._known], dtype=np.int32)
        at = np.flatnonzero(np.isin(self.forms, known))
        return at, np.searchsorted(known, self.forms[at])

    @cached_property
    def _by_beginning(self) -> dict[str, list[tuple[int, str]]]:
        """The known texts with their numbers, by the letters that akin words share."""
        found: dict[str, list[tuple[int, str]]] = {}
        for number, text in enumerate(self._known):
            found.setdefault(text[:LEAST], []).append((number, text))
        return found

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {key: text for text, key in self._keys.items()}


def _among(row: Keys, keys: Iterable[int]) -> NDArray[np.bool_]:
    """`np.isin` for a handful of keys, where it takes five times as long."""
    found = np.zeros(len(row), dtype=bool)
    for key in keys:
        found |= row == key
    return found


def early(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """Words mentioned at the beginning count more: passages say first what they are about."""
    values = (word.idf * _earliness(word, passages) for word in question.words)
    return _sum(values, passages) / question.idf


def _earliness(word: QuestionWord, passages: PassageWords) -> Numbers:
    """1 where the word comes first, 0 where it is missing; other words for it by their worth."""
    value: Numbers = 1 / np.log2(2 + passages.first(word.lemmas) / _EARLY)
    for other in word.others:
        value = np.maximum(value, other.worth / np.log2(2 + passages.together(other.lemmas) / _EARLY))
    return value


def kinship(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """Share of the words found exactly, or as far as their beginnings agree: `wynajem` and `wynajęcie`."""
    return _sum((word.idf * _likeness(word, passages) for word in question.words), passages) / question.idf


def _likeness(word: QuestionWord, passages: PassageWords) -> Numbers:
    value = passages.kinship(word.forms)
    for other in word.others:
        value = np.maximum(value, other.worth * np.isfinite(passages.together(other.lemmas)))
    return value


def wording(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """Share of the question's neighbouring words that are neighbours here; statutes are asked in their own words."""
    total = sum(weight for _, weight in question.pairs) or 1.0
    return _sum((weight * passages.neighbours(*pair) for pair, weight in question.pairs), passages) / total


def names(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """Share of the question that is names and found."""
    values = (word.idf * np.isfinite(passages.first(word.lemmas)) for word in question.words if word.name)
    return _sum(values, passages) / question.idf


def length(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """Natural logarithm of one plus the number of words; long passages mention everything."""
    return np.array(np.log1p(passages.lengths))


def _sum(values: Iterable[Numbers], passages: PassageWords) -> Numbers:
    return sum(values, np.zeros(len(passages.lengths)))


Signal = Callable[[QuestionSignals, PassageWords], Numbers]
SIGNALS: dict[str, Signal] = {signal.__name__: signal for signal in (early, kinship, wording, names, length)}
