"""The words of passages as keys in one row, all passages of a search together."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.text.analyser import Word
from ingestion.text.index_format.word_sequences import Keys, WordsInOrder
from ingestion.text.morphology.kinship import LEAST, alike

Numbers = NDArray[np.floating[Any]]
Marks = NDArray[np.bool_]

_NEAR = 6  # words that may stand between those of a phrase


class PassageWords:
    """The words of passages. `keys` has those that the question asks for, by their text; `titles` says how many words
    of each passage are its title, with which it begins.
    """

    def __init__(
        self, passages: Sequence[WordsInOrder], keys: Mapping[str, int], titles: Sequence[int] | None = None
    ) -> None:
        self.titles = np.array(titles if titles is not None else [0] * len(passages))
        self.lengths = np.array([len(words.forms) for words in passages])
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.passage = np.repeat(np.arange(len(passages)), self.lengths)
        self.forms, self.lemmas, _ = WordsInOrder.joined(passages)
        self._keys = keys
        self._together: dict[tuple[str, ...], Numbers] = {}
        self._akin: dict[frozenset[str], Numbers] = {}
        self._stands: dict[frozenset[str], Marks] = {}

    def first(self, lemmas: Iterable[str]) -> Numbers:
        """By passage the first place of any of `lemmas`; infinite where it has none."""
        found = self._places_of(lemmas)[::-1]  # the last to be written is the first
        places = np.full(len(self.lengths), np.inf)
        places[self.passage[found]] = found - self.starts[self.passage[found]]
        return places

    def together(self, lemmas: tuple[str, ...]) -> Numbers:
        """By passage the first place of a word that has all the others near it; infinite where there is none."""
        if lemmas not in self._together:
            self._together[lemmas] = self._first_together(lemmas)
        return self._together[lemmas]

    def _first_together(self, lemmas: tuple[str, ...]) -> Numbers:
        distinct = tuple(dict.fromkeys(lemmas))
        if len(distinct) == 1:
            return self.first(distinct)
        rows = sorted((self._places_of([lemma]) for lemma in distinct), key=len)
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
            at = self._places_of([left])
            at = at[at + 1 < len(self.lemmas)]
            follows = (self.lemmas[at + 1] == self._keys[right]) & (self.passage[at] == self.passage[at + 1])
            has[self.passage[at[follows]]] = True
        return has

    def kinship(self, forms: frozenset[str]) -> Numbers:
        """1 where one of the forms itself occurs, else the greatest share of letters that a word begins with alike."""
        return self.greatest(self.akin(forms))

    def akin(self, forms: frozenset[str]) -> Numbers:
        """By word how alike it begins to the likest of `forms`; 0 for a word that nobody asks for."""
        if forms not in self._akin:
            row = np.zeros(len(self.forms))
            at, which = self._known_forms
            row[at] = self._likeness(forms)[which]
            self._akin[forms] = row
        return self._akin[forms]

    def near(self, near: Mapping[str, float]) -> Numbers:
        """By word the value that its lemma has in `near`; 0 where it has none."""
        values, row = np.zeros(len(self._known)), np.zeros(len(self.lemmas))
        for lemma in near.keys() & self._numbers.keys():
            values[self._numbers[lemma]] = near[lemma]
        at, which = self._known_lemmas
        row[at] = values[which]
        return row

    def stands(self, texts: frozenset[str]) -> Marks:
        """By word whether its form or its lemma is one of `texts`."""
        if texts not in self._stands:
            wanted, row = self._wanted(texts), np.zeros(len(self.forms), bool)
            for at, which in (self._known_lemmas, self._known_forms):
                row[at[wanted[which]]] = True
            self._stands[texts] = row
        return self._stands[texts]

    def _places_of(self, lemmas: Iterable[str]) -> NDArray[np.intp]:
        """The places of words with one of `lemmas`, in order."""
        at, which = self._known_lemmas
        found: NDArray[np.intp] = at[self._wanted(lemmas)[which]]
        return found

    def _wanted(self, texts: Iterable[str]) -> Marks:
        """By known text whether it is one of `texts`."""
        wanted = np.zeros(len(self._known), bool)
        wanted[[self._numbers[text] for text in texts if text in self._numbers]] = True
        return wanted

    def lately(self, values: Numbers, size: int) -> Numbers:
        """By word the greatest value of it and the `size` before it, in the same passage."""
        found, reached = values, 1
        while reached <= size:
            step = min(reached, size + 1 - reached)
            before = np.where(self.passage[step:] == self.passage[:-step], found[:-step], 0.0)
            found = np.concatenate((found[:step], np.maximum(found[step:], before)))
            reached += step
        return found

    @cached_property
    def in_title(self) -> Marks:
        """By word whether it is one of its passage's title."""
        found: Marks = np.arange(len(self.forms)) - self.starts[self.passage] < self.titles[self.passage]
        return found

    def greatest(self, values: Numbers) -> Numbers:
        """By passage the greatest value of its words; 0 where it has none."""
        found = np.zeros(len(self.lengths))
        some = self.lengths > 0
        if some.any():
            found[some] = np.maximum.reduceat(values, self.starts[some])
        return found

    def _likeness(self, forms: Iterable[str]) -> Numbers:
        """By known text, in [0, 1]."""
        likeness = np.zeros(len(self._known))
        for form in forms:
            for number, text in self._by_beginning.get(form[:LEAST], ()):
                likeness[number] = max(likeness[number], 1.0 if form == text else alike(form, text))
        return likeness

    def asked(self, number: int, texts: frozenset[str]) -> list[Word]:
        """The words of passage `number` whose form or lemma is one of `texts`, in their order."""
        here = slice(self.starts[number], self.starts[number] + self.lengths[number])
        found = self.stands(texts)[here]
        pairs = zip(self.forms[here][found].tolist(), self.lemmas[here][found].tolist(), strict=True)
        return [(self._texts.get(form, ""), self._texts.get(lemma, "")) for form, lemma in pairs]

    @cached_property
    def _known(self) -> list[str]:
        """The known texts, by ascending key."""
        return sorted(self._keys, key=self._keys.__getitem__)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self._known)}

    @cached_property
    def _known_forms(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The places of forms that are known, and which one it is there."""
        return self._known_in(self.forms)

    @cached_property
    def _known_lemmas(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        return self._known_in(self.lemmas)

    def _known_in(self, row: Keys) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        known = np.array([self._keys[text] for text in self._known], dtype=np.int32)
        if not len(known):
            return np.empty(0, np.intp), np.empty(0, np.intp)
        which = np.minimum(np.searchsorted(known, row), len(known) - 1)
        at = np.flatnonzero(known[which] == row)
        return at, which[at]

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
