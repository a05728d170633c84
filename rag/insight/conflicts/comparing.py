"""Documents that changed are read and compared with all others, some at a time: a killed worker loses one batch."""

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.db import connection, transaction

from ingestion.types import Progress, no_progress
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.postgres.locks import Lock, held_over_transactions
from rag.answering.verification.disagreement import contradiction_of
from rag.insight.conflicts.pairs import KnownStatements, candidate_pairs
from rag.insight.conflicts.reading import changed_documents, passages_of, statements_of
from rag.insight.conflicts.storage import clear_away, forget_others, write_conflict, write_statements
from rag.models import ComparedDocument
from rag.types import Contradiction, Passage

_BATCH = 25  # documents
_LIVING = "SELECT d.id FROM ingestion_document d WHERE d.id = ANY(%s) ORDER BY d.id FOR KEY SHARE"


NewConflicts: TypeAlias = defaultdict[tuple[str, str], list[int]]
"""The numbers of those that were found, by the two collections."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardUpdate:
    """How many documents were read, statements written and contradictions found; `left` documents still wait."""

    documents: int = 0
    statements: int = 0
    found: int = 0
    left: int = 0


def compare_documents(*, seconds: float | None = None, progress: Progress = no_progress) -> BoardUpdate:
    """Bring the board up to date, for at most so many `seconds`. While another task does, it is left to that one."""
    with held_over_transactions(Lock.CONFLICTS) as held:
        return _compare(seconds, progress) if held else BoardUpdate()


def _compare(seconds: float | None, progress: Progress) -> BoardUpdate:
    end = None if seconds is None else time.monotonic() + seconds
    waiting, documents, statements = changed_documents(), 0, 0
    known = KnownStatements()
    found: NewConflicts = defaultdict(list)
    for start in range(0, len(waiting), _BATCH):
        batch = waiting[start : start + _BATCH]
        if end is not None and time.monotonic() >= end:
            break
        progress(documents, len(waiting))
        statements += _write_batch(dict(batch), known, found)
        documents += len(batch)
    clear_away()
    _tell(found)
    progress(documents, len(waiting))
    return BoardUpdate(
        documents=documents, statements=statements, found=sum(map(len, found.values())), left=len(waiting) - documents
    )


@transaction.atomic
def _write_batch(digests: dict[int, str], known: KnownStatements, found: NewConflicts) -> int:
    living = _keep(digests)
    places = [place for passage in passages_of(living) for place in statements_of(passage)]
    numbers = write_statements(living, places)
    known.add(numbers)
    differing = _judge(candidate_pairs(numbers), known)
    forget_others(living, differing)
    for pair, (contradiction, collections) in differing.items():
        if number := write_conflict(pair, contradiction):
            found[collections].append(number)
    ComparedDocument.objects.bulk_create(
        [ComparedDocument(document_id=one, digest=digests[one]) for one in living],
        update_conflicts=True, unique_fields=["document"], update_fields=["digest"],
    )  # fmt: skip
    return len(numbers)


def _judge(
    pairs: Sequence[tuple[int, int]], known: KnownStatements
) -> dict[tuple[int, int], tuple[Contradiction, tuple[str, str]]]:
    known.load(number for pair in pairs for number in pair)
    differing = {}
    for pair in pairs:
        first, second = (known.get(number) for number in pair)
        if first and second and (contradiction := contradiction_of(first, second)):
            differing[pair] = (contradiction, _collections(first.passage, second.passage))
    return differing


def _collections(first: Passage, second: Passage) -> tuple[str, str]:
    ours, theirs = sorted((first.collection, second.collection))
    return ours, theirs


def _keep(documents: Iterable[int]) -> list[int]:
    """Those of the documents that are still there; nobody deletes them until the batch is written."""
    with connection.cursor() as cursor:
        cursor.execute(_LIVING, [sorted(documents)])
        return [row[0] for row in cursor.fetchall()]


def _tell(found: NewConflicts) -> None:
    for pair, numbers in sorted(found.items()):
        collections = list(dict.fromkeys(pair))
        announce(AnnouncedEvent.CONFLICTS_FOUND, about=numbers, collections=collections, found=len(numbers))
