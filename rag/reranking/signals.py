"""What a passage shows of a question's words, as numbers. Each signal is in [0, 1] but `length` and takes no model.

Word i of a passage counts from 0 and includes title and headings. idf weighs the words of the question throughout.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ingestion.text.analyser import Word
from ingestion.text.kinship import LEAST, alike

_EARLY = 8  # words after which the value of an early mention has fallen to 1 / log2(3)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWord:
    """`forms` and `lemmas` of all readings; `idf` in nats; `name`: typed with a capital in the middle."""

    forms: frozenset[str]
    lemmas: frozenset[str]
    idf: float
    name: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """`words` carry the topic; `pairs` are the neighbours in the question as typed, function words included, by lemma,
    each with its weight. What has to be looked for in each of many passages is gathered once.
    """

    words: tuple[QuestionWord, ...]
    pairs: tuple[tuple[tuple[str, str], float], ...] = ()

    @cached_property
    def idf(self) -> float:
        return sum(word.idf for word in self.words) or 1.0

    @cached_property
    def lemmas(self) -> frozenset[str]:
        return frozenset(lemma for word in self.words for lemma in word.lemmas)

    @cached_property
    def neighbours(self) -> frozenset[tuple[str, str]]:
        return frozenset(pair for pair, _ in self.pairs)

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """The first letters that akin words share with a form."""
        return frozenset(form[:LEAST] for word in self.words for form in word.forms)


class PassageWords:
    """What one passage has of a question's words: `places` the first of each, None where it is missing."""

    def __init__(self, question: Question, words: Sequence[Word]) -> None:
        forms = [form for form, _ in words]
        lemmas = [lemma for _, lemma in words]
        first = {lemma: lemmas.index(lemma) for lemma in question.lemmas.intersection(lemmas)}
        self.length = len(words)
        self.forms = set(forms)
        self.places = [
            min((first[lemma] for lemma in word.lemmas if lemma in first), default=None) for word in question.words
        ]
        self.pairs = question.neighbours.intersection(pairwise(lemmas))
        self._akin: dict[str, list[str]] = {}
        for form in self.forms:
            if form[:LEAST] in question.beginnings:
                self._akin.setdefault(form[:LEAST], []).append(form)

    def kinship(self, form: str) -> float:
        """1 where the form itself occurs, else the greatest share of letters that a word begins with alike."""
        if form in self.forms:
            return 1.0
        return max((alike(form, other) for other in self._akin.get(form[:LEAST], ())), default=0.0)


def early(question: Question, passage: PassageWords) -> float:
    """Words mentioned at the beginning count more: passages say first what they are about."""
    found = zip(question.words, passage.places, strict=True)
    return sum(word.idf / math.log2(2 + at / _EARLY) for word, at in found if at is not None) / question.idf


def kinship(question: Question, passage: PassageWords) -> float:
    """Share of the words found exactly, or as far as their beginnings agree: `wynajem` and `wynajęcie`."""
    return sum(word.idf * max(map(passage.kinship, word.forms)) for word in question.words) / question.idf


def wording(question: Question, passage: PassageWords) -> float:
    """Share of the question's neighbouring words that are neighbours here; statutes are asked in their own words."""
    total = sum(weight for _, weight in question.pairs)
    return sum(weight for pair, weight in question.pairs if pair in passage.pairs) / total if total else 0.0


def names(question: Question, passage: PassageWords) -> float:
    """Share of the question that is names and found."""
    found = zip(question.words, passage.places, strict=True)
    return sum(word.idf for word, at in found if word.name and at is not None) / question.idf


def length(question: Question, passage: PassageWords) -> float:
    """Natural logarithm of one plus the number of words; long passages mention everything."""
    return math.log(1 + passage.length)


Signal = Callable[[Question, PassageWords], float]
SIGNALS: dict[str, Signal] = {signal.__name__: signal for signal in (early, kinship, wording, names, length)}
