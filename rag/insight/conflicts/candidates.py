"""Which statements may be about the same: those that share two words of their subject and a kind of value.

A sentence that says the same of another thing shares no key with it, so nothing is compared with everything. Keys are
rough on purpose, for `contradiction_of` decides; what it would let through differs in no more than a word or two.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from zlib import crc32

from rag.answering.verification.disagreement import COMPARED
from rag.answering.verification.names import is_person
from rag.answering.verification.sentence import Sentence
from rag.answering.verification.subjects import (
    NEUTRAL,
    OF_A_DOCUMENT,
    OF_ANYTHING,
    SentenceInContext,
    parts_of,
)

_STEM = 5  # characters: words of one family begin alike
_WORDS = 4  # the longest of a sentence, which tell most
_SHORTEST, _LONGEST = 20, 600  # characters of a sentence that can be compared
_TIME = {"hours": "time", "months": "time", "working_days": "time"}  # 14 days may be two weeks


def keys_of_statement(said: SentenceInContext) -> list[int]:
    """Four-byte numbers; none of a sentence that states nothing comparable."""
    if not _SHORTEST <= len(said.sentence.text) <= _LONGEST:
        return []
    parts = parts_of(said.sentence)
    if "verb" not in parts.values():
        return []
    things = _subject(word for word in said.sentence.lemmas if parts.get(word) != "verb")
    words = things if len(things) > 1 else [*things, *_subject(said.title.lemmas | said.heading.lemmas)]
    if not things:
        return []
    pairs = [f"{one} {other}" for one, other in combinations(sorted(words), 2)] or words
    return sorted({_number(f"{kind} {pair}") for kind in _kinds(said.sentence) for pair in pairs})


def _subject(lemmas: Iterable[str]) -> list[str]:
    able = {word for word in lemmas if word.isalpha()} - OF_ANYTHING - OF_A_DOCUMENT - NEUTRAL
    longest = sorted(able, key=lambda word: (-len(word), word))[:_WORDS]
    return sorted({word[:_STEM] for word in longest})


def _kinds(sentence: Sentence) -> Iterator[str]:
    """Any sentence may be denied; one with a value may have another."""
    yield "say"
    for dimension in {fact.dimension for fact in sentence.facts} & set(COMPARED):
        yield _TIME.get(dimension, dimension)
    if any(is_person(name) for name in sentence.names):
        yield "person"


def _number(key: str) -> int:
    number = crc32(key.encode())
    return number - (1 << 32) if number >= 1 << 31 else number
