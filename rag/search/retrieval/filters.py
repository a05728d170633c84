"""Filters as SQL, and beside them who looks: the collections a search runs in are already those its viewer may see, and
`Clearance` says which of their documents.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from typing import Any

from django.utils import timezone
from psycopg.types.json import Jsonb

from ingestion.selectors.clearance import UNCLEARED, Clearance
from ingestion.selectors.days_in_force import FIRST_DAY, LAST_DAY
from ingestion.selectors.postings import postings_of
from rag.types import Filters

Clause = tuple[str, tuple[Any, ...]]

_SEARCHED = ("d.status = 'ready' AND c.enabled", ())
_SOURCE = "d.source_id IN (SELECT s.id FROM ingestion_source s WHERE s.name = ANY(%s) OR s.id::text = ANY(%s))"
_WITHOUT_ADDRESSES = r"regexp_replace(c.text, '\S+@\S+', ' ', 'g')"
_WITHOUT = "c.id NOT IN (SELECT unnest(%s::int[]))"  # hashed once for a statement

_LAST_OF_ITS_DOCUMENT = (
    "NOT EXISTS (SELECT FROM ingestion_documentversion own JOIN ingestion_documentversion later "
    "ON later.document_id = own.document_id AND later.valid_to > own.valid_to AND later.valid_to < %s "
    "WHERE own.id = d.earlier_id)"
)
_FORMER = f"({LAST_DAY} < %s AND {_LAST_OF_ITS_DOCUMENT})"
_TODAY = "((d.valid_from IS NULL OR d.valid_from <= %s) AND (d.valid_to IS NULL OR d.valid_to >= %s))"
_NOT_LATER_THAN_ITS_VERSIONS = (
    "NOT EXISTS (SELECT FROM ingestion_documentversion v WHERE v.document_id = d.id AND v.valid_to >= %s)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A WHERE clause over `c` (chunk) and `d` (document) with its parameters.

    `documents` is what filters and rights ask of the document alone, from which the share of chunks that pass can be
    estimated; None: they ask nothing. `of_text`: phrases are asked of the chunk's text, which has to be read for it.
    `filters` and `clearance` are what it was made of, for an engine that knows no SQL. `asks_rights_alone`: no filter
    asks anything of the document. `beside_rights` is the same without them, where rights are all that is asked.
    """

    sql: str = _SEARCHED[0]
    parameters: list[Any] = field(default_factory=list)
    documents: "Condition | None" = None
    of_text: bool = False
    asks_rights_alone: bool = False
    beside_rights: "Condition | None" = None
    filters: Filters = field(default_factory=Filters)
    clearance: Clearance = UNCLEARED


def condition(
    filters: Filters,
    phrases: tuple[tuple[str, ...], ...] = (),
    excluded: Sequence[int] = (),
    *,
    guarded: bool = False,
    clearance: Clearance = UNCLEARED,
) -> Condition:
    """The enabled chunks of ready documents that meet `filters`, hold `phrases` and are none of `excluded`; only of
    documents that `clearance` opens.

    `guarded`: phrases are not looked for in e-mail addresses, which the viewer may not see.
    """
    readable = [clearance.sql()] if clearance.narrows else []
    filtered = list(_document_clauses(filters))
    asked = [*readable, *filtered]
    text = _WITHOUT_ADDRESSES if guarded else "c.text"
    words: list[Clause] = [(f"{text} ~* %s", (r"\m" + r"\W+".join(phrase) + r"\M",)) for phrase in phrases]
    if excluded:
        words.append((_WITHOUT, (list(excluded),)))
    documents = _joined(asked) if asked else None
    searched = [_SEARCHED, *_in_force(filters)]
    return replace(
        _joined([*searched, *asked, *words], documents),
        of_text=bool(phrases),
        asks_rights_alone=not filtered,
        beside_rights=_joined([*searched, *words]) if readable and not filtered else None,
        filters=filters,
        clearance=clearance,
    )


def _joined(clauses: Sequence[Clause], documents: Condition | None = None) -> Condition:
    return Condition(
        sql=" AND ".join(sql for sql, _ in clauses),
        parameters=[value for _, values in clauses for value in values],
        documents=documents,
    )


def _in_force(filters: Filters) -> Iterator[Clause]:
    """Of a document with earlier versions only the one that held then, even where nobody said since when the present
    one does. Who asks about another time gets what documents say of themselves taken for true; out of today's answers
    nothing is kept by that (`rag.search.boosts.in_force` puts it behind).
    """
    if filters.include_expired:
        return
    today = timezone.localdate()
    if filters.with_former:
        yield f"({_TODAY} OR {_FORMER})", (today, today, today, today)
    elif filters.former:
        yield _FORMER, (today, today)
    elif filters.valid_on:
        last = filters.valid_through or filters.valid_on
        yield f"coalesce({FIRST_DAY} <= %s, true)", (last,)
        yield f"coalesce({LAST_DAY} >= %s, true)", (filters.valid_on,)
        yield _NOT_LATER_THAN_ITS_VERSIONS, (last,)
    else:
        yield _TODAY, (today, today)


def _document_clauses(filters: Filters) -> Iterator[Clause]:
    any_of = {
        "d.media_type": filters.media_types,
        "d.language": filters.languages,
        "d.category": filters.categories,
        "d.version": filters.versions,
    }
    for column, values in any_of.items():
        if values:
            yield f"{column} = ANY(%s)", (list(values),)
    if filters.sources:
        yield _SOURCE, (list(filters.sources), list(filters.sources))
    if filters.tags:
        yield "d.tags @> %s::varchar[]", (list(filters.tags),)
    if filters.metadata:
        yield "d.metadata @> %s", (Jsonb(dict(filters.metadata)),)
    yield from _changed(filters)


def _changed(filters: Filters) -> Iterator[Clause]:
    """Days are those of the installation's time zone; a `date` in SQL would be a day of the connection's, UTC."""
    if filters.modified_from:
        yield "d.modified >= %s", (timezone.make_aware(datetime.combine(filters.modified_from, time.min)),)
    if filters.modified_to:
        yield "d.modified <= %s", (timezone.make_aware(datetime.combine(filters.modified_to, time.max)),)


def chunks_with(lemmas: Sequence[int], collection_ids: Sequence[int]) -> list[int]:
    """The chunks in which one of these terms stands as a lemma, for what a question leaves out."""
    if not lemmas:
        return []
    found = [postings.chunks[postings.lemmas > 0] for postings in postings_of(lemmas, collection_ids).values()]
    return sorted({chunk for chunks in found for chunk in chunks.tolist()})


def readable_documents(clearance: Clearance) -> Condition:
    """The documents `d` that `clearance` opens, whatever else is asked of them."""
    return _joined([clearance.sql()])


def named(condition: Condition) -> tuple[str, dict[str, Any]]:
    """The condition with named parameters, as the query around it has them."""
    names = [f"c{i}" for i in range(len(condition.parameters))]
    sql = condition.sql
    for name in names:
        sql = sql.replace("%s", f"%({name})s", 1)
    return sql, dict(zip(names, condition.parameters, strict=True))
