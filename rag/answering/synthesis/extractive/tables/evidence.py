"""How far a table's rows, its columns and what stands around it say the words of a question."""

from collections.abc import Sequence

from ingestion.text.analyser import analyser
from rag.answering.synthesis.extractive.matching import Cover, WordMatcher
from rag.question import SubstituteWords
from rag.understanding.expected import ExpectedAnswer

SAID = 0.6
"""From here on a word of the question is taken to be there, itself or akin."""


class AskedWords:
    """The words of a question that carry a topic, each with its other words.

    Not the unit that is asked for, "dni" in "ile dni": every row has it.
    """

    def __init__(self, question: str, expected: ExpectedAnswer, others: Sequence[SubstituteWords] = ()) -> None:
        unit = expected.noun if expected.unit else ""
        tokens = [token for token in analyser().tokens(question) if token.lemma != unit]
        self._match = WordMatcher(" ".join(question[token.start : token.end] for token in tokens), others)
        self._lemmas = {token.lemma for token in tokens}.union(*(other.lemmas for other in others))

    def cover(self, text: str) -> Cover:
        """A number counts only where it is all there is: "401" is a key, "20" of "20 minut" is a value."""
        lemmas = [lemma for _, lemma in analyser().words(text)]
        cover = self._match.cover(lemmas if text.isdecimal() else (one for one in lemmas if not one.isdecimal()))
        return [value if value >= SAID else 0.0 for value in cover]

    def any_in(self, text: str) -> bool:
        return max(self.cover(text), default=0.0) >= SAID

    def have(self, name: str) -> bool:
        """Whether the question, or what it is taken for, has every word of `name`."""
        return min(WordMatcher(name).cover(self._lemmas), default=0.0) >= SAID


def all_of(*covers: Cover) -> Cover:
    return [max(values) for values in zip(*covers, strict=True)]


def share_of(cover: Cover) -> float:
    """In [0, 1]."""
    return sum(cover) / len(cover) if cover else 0.0
