"""Facts and names that a claim brings together from several places of a passage, away from its nearest sentences."""

import re
from collections.abc import Iterable

from ingestion.text.names.mention import Named
from rag.answering.verification.names import keys_of, stands_in
from rag.answering.verification.overlap import CitedSource, kinship
from rag.answering.verification.sentence import Sentence
from rag.understanding.facts.fact import Fact, agreeing

_PART = re.compile(r"[,;:–—]|\((?!\d)|(?<!\d)\)|\s(?:i|oraz|a|albo|lub|ale)\s")
_WIDE_PART = re.compile(";")
WORDS = 0.34
"""The share of the words around a fact, or of a name's claim, that the sentence which has it must have."""
ENOUGH = 0.5
"""From this share on, one word is enough."""


def states(fact: Fact, claim: Sentence, sources: Iterable[CitedSource]) -> bool:
    """Whether a sentence of `sources` has `fact` of `claim`, and says it of what the words around it there say.

    An identifier, such as a telephone number, has one owner: it need not be said of anything.
    """
    if fact.dimension == "identifier":
        return any(_has(fact, source) for source in sources)
    around = Sentence(_part_with(fact, claim, _PART))
    words = around.topic or around.lemmas - frozenset(Sentence(fact.written).lemmas)
    return any(
        agreeing(fact, sentence.facts) and _speaks_of(words, sentence)
        for source in sources
        for sentence in source.sentences
    )


def names(name: Named, claim: Sentence, sources: Iterable[CitedSource]) -> bool:
    """Whether a sentence of `sources` has `name` of `claim`, and is about what the claim says around it."""
    words = Sentence(_part_with(name, claim, _WIDE_PART)).topic
    return any(
        stands_in(name, keys_of(sentence.names), sentence.lemmas, sentence.text) and _speaks_of(words, sentence)
        for source in sources
        for sentence in source.sentences
    )


def _has(identifier: Fact, source: CitedSource) -> bool:
    written = identifier.written.lower()
    return written in f"{source.about}\n{source.text}".lower() or any(
        agreeing(identifier, sentence.facts) for sentence in source.sentences
    )


def _part_with(stated: Fact | Named, claim: Sentence, separator: re.Pattern[str]) -> str:
    """From the separator before `stated` to the next one after it."""
    cuts = [match.span() for match in separator.finditer(claim.text)]
    start = max((end for _, end in cuts if end <= stated.start), default=0)
    end = min((begin for begin, _ in cuts if begin >= stated.end), default=len(claim.text))
    return claim.text[start:end]


def _speaks_of(words: frozenset[str], sentence: Sentence) -> bool:
    shared = [word for word in words if kinship(word, sentence.lemmas)]
    least = ENOUGH if len(shared) < 2 else WORDS
    return bool(shared) and len(shared) >= least * len(words)
