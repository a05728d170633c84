"""How far a table's rows, its columns and what stands around it say the words of a question."""

from collections.abc import Iterable, Mapping, Sequence
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

    lemmas: tuple[str, ...]
    others: tuple[frozenset[str], ...]

    def cover(self, text: str) -> Cover:
        found = {lemma for _, lemma in analyser().words(text)}
        folded = {fold(lemma) for lemma in found}
        return tuple(
            1.0 if lemma in found else _OTHER if others & found else _kin(fold(lemma), folded)
            for lemma, others in zip(self.lemmas, self.others, strict=True)
        )


def asked_words(question: str, *, without: Sequence[str], other_words: OtherWords) -> AskedWords:
    """`without`: lemmas that say what kind of thing is asked for, such as "dzień" of "ile dni"."""
    tokens = analyser().content_tokens(question)
    lemmas = dict.fromkeys(t.lemma for t in tokens if t.lemma not in without and not t.form.isdecimal())
    return AskedWords(tuple(lemmas), tuple(frozenset(other_words.get(lemma, ())) for lemma in lemmas))


def joined(*covers: Cover) -> Cover:
    return tuple(max(values) for values in zip(*covers, strict=True))


def _kin(lemma: str, among: Iterable[str]) -> float:
    if len(lemma) < _SHORT:
        return 1.0 if lemma in among else 0.0
    best = max((alike(lemma, other) for other in among if other[:3] == lemma[:3]), default=0.0)
    return best if best >= _KIN else 0.0
