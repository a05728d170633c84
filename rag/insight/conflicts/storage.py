"""Statements and contradictions as rows: a statement keeps its number as long as its document says it."""

from collections.abc import Collection, Mapping, Sequence

from django.db import connection, transaction
from django.db.models import Q

from rag.insight.conflicts.reading import StatementPlace
from rag.models import ComparedDocument, ComparedStatement, Conflict
from rag.types import Contradiction, Statement

_MISPLACED = "UPDATE rag_comparedstatement SET chunk_id = NULL WHERE document_id = ANY(%s)"
# Statements that nobody says any more, but for those that somebody decided about: what comes back is still cleared.
_SAID = "EXISTS (SELECT FROM ingestion_chunk c WHERE c.id = s.chunk_id)"
# What somebody decided stays: where a document comes to say it again, it is cleared still.
_GONE_CONFLICTS = f"""
DELETE FROM rag_conflict k USING rag_comparedstatement s
WHERE k.decision = 'open' AND s.id IN (k.first_id, k.second_id) AND NOT {_SAID}
"""  # noqa: S608
_GONE_STATEMENTS = f"""
DELETE FROM rag_comparedstatement s
WHERE NOT {_SAID} AND NOT EXISTS (SELECT FROM rag_conflict k WHERE s.id IN (k.first_id, k.second_id))
"""  # noqa: S608


def write_statements(documents: Sequence[int], places: Sequence[StatementPlace]) -> Mapping[int, StatementPlace]:
    """What these documents state, by number; what they stated before and do not any more has no chunk afterwards."""
    wordings = {(place.said.passage.document_id, place.digest): place for place in places}
    with connection.cursor() as cursor:
        cursor.execute(_MISPLACED, [list(documents)])
    ComparedStatement.objects.bulk_create(
        [
            ComparedStatement(
                document_id=document, chunk_id=place.said.passage.chunk_id, digest=digest,
                start=place.start, end=place.end, keys=list(place.keys),
            )
            for (document, digest), place in wordings.items()
        ],
        update_conflicts=True, unique_fields=["document", "digest"], update_fields=["chunk", "start", "end", "keys"],
    )  # fmt: skip
    rows = ComparedStatement.objects.filter(document__in=documents, chunk__isnull=False)
    return {
        number: wordings[document, digest] for number, document, digest in rows.values_list("pk", "document", "digest")
    }


def write_conflict(pair: tuple[int, int], contradiction: Contradiction) -> int | None:
    """Its number where it is new; one that is there stays as it is, with what was decided about it."""
    first, second = _span(contradiction.first), _span(contradiction.second)
    values = {"first_from": first[0], "first_to": first[1], "second_from": second[0], "second_to": second[1]}
    conflict, created = Conflict.objects.get_or_create(
        first_id=pair[0], second_id=pair[1], defaults={"kind": contradiction.kind, **values}
    )
    return conflict.pk if created else None


def forget_others(documents: Sequence[int], pairs: Collection[tuple[int, int]]) -> None:
    """Delete what nobody decided about between these documents and others, but for `pairs` that differ still."""
    sides = Q(first__document__in=documents) | Q(second__document__in=documents)
    rows = Conflict.objects.filter(sides, decision=Conflict.Decision.OPEN).values_list("pk", "first_id", "second_id")
    Conflict.objects.filter(pk__in=[pk for pk, *pair in rows if tuple(pair) not in pairs]).delete()


@transaction.atomic
def clear_away() -> None:
    """Delete what is said no more and nobody decided about."""
    with connection.cursor() as cursor:
        cursor.execute(_GONE_CONFLICTS)
        cursor.execute(_GONE_STATEMENTS)


def forget_comparisons() -> None:
    """Have every document read anew; statements and decisions stay."""
    ComparedDocument.objects.all().delete()


def _span(statement: Statement) -> tuple[int, int]:
    """Where in the quote its value stands; the whole quote where it does not word for word."""
    start = statement.quote.find(statement.value)
    return (start, start + len(statement.value)) if start >= 0 else (0, len(statement.quote))
