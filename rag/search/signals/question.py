"""What passages are asked for: the words of a question, other words for them, and what each weighs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ingestion.text.index_format.word_sequences import Keys, WordsInOrder, beginning
from ingestion.text.morphology.kinship import LEAST


def _among(row: Keys, keys: Iterable[int]) -> NDArray[np.bool_]:
    """`np.isin` for a handful of keys, where it takes five times as long."""
    found = np.zeros(len(row), dtype=bool)
    for key in keys:
        found |= row == key
    return found


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
    capital in the middle; `others` are words for it that nobody typed; `near` are lemmas of like meaning, each with its
    cosine.
    """

    forms: frozenset[str]
    lemmas: frozenset[str]
    keys: frozenset[int] = frozenset()
    idf: float
    name: bool = False
    others: tuple[OtherWords, ...] = ()
    near: Mapping[str, float] = field(default_factory=dict)


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
        return self.word_texts.union(*(pair for pair, _ in self.pairs), *(word.near for word in self.words))

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
