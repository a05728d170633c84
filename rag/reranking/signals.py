"""What a passage shows of a question's words, as numbers. Each signal is in [0, 1] but `length` and takes no model.

Word i of a passage counts from 0 and includes title and headings. idf weighs the words of the question throughout.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`words` carry the topic; `pairs` are the neighbours in the question as typed, function words included, by lemma,
    each with its weight.
    """

    words: tuple[QuestionWord, ...]
    pairs: tuple[tuple[tuple[str, str], float], ...] = ()

    @property
    def idf(self) -> float:
        return sum(word.idf for word in self.words) or 1.0

    @property
    def wanted(self) -> "Wanted":
        """What has to be looked for in each of many passages."""
        return Wanted(
            lemmas=frozenset(lemma for word in self.words for lemma in word.lemmas),
            pairs=frozenset(pair for pair, _ in self.pairs),
            beginnings=frozenset(form[:LEAST] for word in self.words for form in word.forms),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Nothing else of a passage counts. `beginnings` are the first letters that akin words share with a form."""

    lemmas: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    beginnings: frozenset[str]


class PassageWords:
    """The places of a question's words in one passage."""

    def __init__(self, question: Question, words: Sequence[Word], wanted: Wanted | None = None) -> None:
        wanted = wanted or question.wanted
        self.length = len(words)
        self.forms = {form for form, _ in words}
        by_lemma: dict[str, list[int]] = {}
        for place, (_, lemma) in enumerate(words):
            if lemma in wanted.lemmas:
                by_lemma.setdefault(lemma, []).append(place)
        self.places = [
            sorted(place for lemma in word.lemmas for place in by_lemma.get(lemma, ())) for word in question.words
        ]
        self.pairs = wanted.pairs.intersection(pairwise(lemma for _, lemma in words))
        self._kin: dict[str, list[str]] = {}
        for form in self.forms:
            if form[:LEAST] in wanted.beginnings:
                self._kin.setdefault(form[:LEAST], []).append(form)

    def kinship(self, form: str) -> float:
        """1 where the form itself occurs, else the greatest share of letters that a word begins with alike."""
        if form in self.forms:
            return 1.0
        return max((alike(form, other) for other in self._kin.get(form[:LEAST], ())), default=0.0)


def early(question: Question, passage: PassageWords) -> float:
    """Words mentioned at the beginning count more: passages say first what they are about."""
    found = zip(question.words, passage.places, strict=True)
    return sum(word.idf / math.log2(2 + places[0] / _EARLY) for word, places in found if places) / question.idf


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
    return sum(word.idf for word, places in found if word.name and places) / question.idf


def length(question: Question, passage: PassageWords) -> float:
    """Natural logarithm of one plus the number of words; long passages mention everything."""
    return math.log(1 + passage.length)


Signal = Callable[[Question, PassageWords], float]
SIGNALS: dict[str, Signal] = {signal.__name__: signal for signal in (early, kinship, wording, names, length)}
