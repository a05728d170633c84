"""What passages show of a question's words, as numbers. Each signal is in [0, 1] and takes no model.

All passages of a search are looked at together. Word i of a passage counts from 0 and includes title and headings. idf
weighs the words of the question throughout.
"""

from collections.abc import Callable, Iterable

import numpy as np

from rag.search.signals.passages import Numbers, PassageWords
from rag.search.signals.question import QuestionSignals, QuestionWord

_EARLY = 8  # words after which the value of an early mention has fallen to 1 / log2(3)
_CLOSE = 12  # words that say one thing
_KIN = 0.6  # words that begin less alike than this do not stand for each other


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


def closeness(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """The greatest share of the question that stands within a dozen words, words akin and of like meaning by their
    likeness.
    """
    share = np.zeros(len(passages.lemmas))
    for word in question.words:
        share += word.idf * _close(word, passages)
    return passages.greatest(share) / question.idf


def _close(word: QuestionWord, passages: PassageWords) -> Numbers:
    """By word of the passages what of the question's word has just been said."""
    akin = passages.akin(word.forms)
    value = np.where(akin >= _KIN, akin, passages.near(word.near))
    value[passages.stands(word.forms | word.lemmas)] = 1.0
    value = passages.lately(value, _CLOSE)
    for other in word.others:
        said = [
            passages.lately(passages.stands(frozenset([lemma])).astype(float), _CLOSE) for lemma in set(other.lemmas)
        ]
        value = np.maximum(value, other.worth * np.min(said, axis=0))
    return value


def title(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """Share of the question that the title has, akin words by their likeness."""
    return _sum((word.idf * _titled(word, passages) for word in question.words), passages) / question.idf


def _titled(word: QuestionWord, passages: PassageWords) -> Numbers:
    akin = passages.akin(word.forms)
    likeness = np.where(akin >= _KIN, akin, 0.0)
    stands = np.maximum(likeness, passages.stands(word.forms | word.lemmas))
    value = passages.greatest(stands * passages.in_title)
    for other in word.others:
        value = np.maximum(value, other.worth * (passages.together(other.lemmas) < passages.titles))
    return value


def meant(question: QuestionSignals, passages: PassageWords) -> Numbers:
    """Share of the words found, those of like meaning by their cosine."""
    return _sum((word.idf * _meant(word, passages) for word in question.words), passages) / question.idf


def _meant(word: QuestionWord, passages: PassageWords) -> Numbers:
    value = np.maximum(passages.greatest(passages.near(word.near)), np.isfinite(passages.first(word.lemmas)))
    for other in word.others:
        value = np.maximum(value, other.worth * np.isfinite(passages.together(other.lemmas)))
    return value


def _sum(values: Iterable[Numbers], passages: PassageWords) -> Numbers:
    return sum(values, np.zeros(len(passages.lengths)))


Signal = Callable[[QuestionSignals, PassageWords], Numbers]
SIGNALS: dict[str, Signal] = {
    signal.__name__: signal for signal in (early, kinship, wording, closeness, title, names, meant)
}
