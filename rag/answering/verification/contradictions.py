"""Sources of one answer that contradict each other, to be pointed out beside it."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from rag.answering.verification.disagreement import contradiction_of, is_compared
from rag.answering.verification.overlap import CitedSource
from rag.answering.verification.sentence import Sentence
from rag.answering.verification.subjects import SentenceInContext, said_in
from rag.types import Contradiction, Passage

MOST = 5
ABOUT_THE_QUESTION = 0.3


def find_contradictions(
    read: Sequence[tuple[Passage, CitedSource]], *, question: Sentence | None = None
) -> tuple[Contradiction, ...]:
    """At most five, one for each two documents, in the order of the passages.

    With a `question`, only sentences that share words with it are compared.
    """
    wanted = question.lemmas if question else frozenset[str]()
    said = [one for passage, source in read for one in _sentences(passage, source, wanted)]
    found: dict[tuple[int, int], Contradiction] = {}
    for first, second in combinations(said, 2):
        if len(found) == MOST:
            break
        documents = (first.passage.document_id, second.passage.document_id)
        new = documents not in found and _apart(first.passage, second.passage)
        if new and (contradiction := contradiction_of(first, second)):
            found[documents] = contradiction
    return tuple(found.values())


def _apart(first: Passage, second: Passage) -> bool:
    return (first.document_id, first.uri) != (second.document_id, second.uri)


def _sentences(passage: Passage, source: CitedSource, wanted: frozenset[str]) -> Iterator[SentenceInContext]:
    for said in said_in(passage, source):
        if is_compared(said.sentence.text) and _concerns(wanted, said.sentence.lemmas | said.above.lemmas):
            yield said


def _concerns(wanted: frozenset[str], lemmas: frozenset[str]) -> bool:
    return len(wanted & lemmas) >= ABOUT_THE_QUESTION * len(wanted)
