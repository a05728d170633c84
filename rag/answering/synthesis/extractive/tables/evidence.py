"""How far a table's rows, its columns and what stands around it say the words of a question."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.kinship import alike

OtherWords = Mapping[str, Iterable[str]]
"""Of a lemma of the question the lemmas that mean the same."""

Cover = tuple[float, ...]
"""For each word of the question how far it is there, in [0, 1]."""

_KIN = 0.6  # words less alike than this are no kin
_OTHER = 0.8  # how much another word for it counts
_SHORT = 4  # letters; shorter words are kin of none


@dataclass(frozen=True)
class AskedWords:
    """The words of a question that carry a topic, each with its other words."""

    question: str
    lemmas: tuple[str, ...]
    others: tuple[frozenset[str], ...]

    def cover(self, text: str) -> Cover:
        """A number counts only where it is all there is: "401" is a key, "20" of "20 minut" is a value."""
        if text.isdecimal():
            return tuple(float(lemma == text) for lemma in self.lemmas)
        found = {lemma for _, lemma in analyser().words(text) if not lemma.isdecimal()}
        folded = {fold(lemma) for lemma in found}
        return tuple(
            1.0 if lemma in found else _OTHER if others & found else _kin(fold(lemma), folded)
            for lemma, others in zip(self.lemmas, self.others, strict=True)
        )

    def have(self, name: str) -> bool:
        """Whether the question has every word of `name`."""
        words = asked_words(name, without=frozenset(), other_words={})
        said = [max(pair) for pair in zip(words.cover(self.question), words.cover(self._others), strict=True)]
        return bool(said) and min(said) >= _KIN

    @property
    def _others(self) -> str:
        return " ".join(word for others in self.others for word in others)


def asked_words(question: str, *, without: frozenset[str], other_words: OtherWords) -> AskedWords:
    """`without`: lemmas that say what kind of thing is asked for, such as "dzień" of "ile dni"."""
    tokens = analyser().content_tokens(question)
    lemmas = tuple(dict.fromkeys(token.lemma for token in tokens if token.lemma not in without))
    return AskedWords(question, lemmas, tuple(frozenset(other_words.get(lemma, ())) for lemma in lemmas))


def joined(*covers: Cover) -> Cover:
    return tuple(max(values) for values in zip(*covers, strict=True))


def share_of(cover: Cover) -> float:
    return sum(cover) / len(cover) if cover else 0.0


def _kin(lemma: str, among: Iterable[str]) -> float:
    if len(lemma) < _SHORT:
        return 1.0 if lemma in among else 0.0
    best = max((alike(lemma, other) for other in among if other[:3] == lemma[:3]), default=0.0)
    return best if best >= _KIN else 0.0
