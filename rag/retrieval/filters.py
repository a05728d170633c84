"""Filters as SQL. Access is not a filter: the collections a search runs in are already those its viewer may see."""

from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from rag.types import Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A WHERE clause over `c` (chunk) and `d` (document) with its parameters."""

    sql: str = "d.status = 'ready' AND c.enabled"
    parameters: list[Any] = field(default_factory=list)


def condition(filters: Filters, phrases: tuple[tuple[str, ...], ...] = (), excluded: tuple[int, ...] = ()) -> Condition:
    clauses = [Condition().sql]
    parameters: list[Any] = []

    def add(sql: str, *values: Any) -> None:
        clauses.append(sql)
        parameters.extend(values)

    if not filters.include_expired:
        day = filters.valid_on or timezone.localdate()
        add("(d.valid_from IS NULL OR d.valid_from <= %s)", day)
        add("(d.valid_to IS NULL OR d.valid_to >= %s)", day)
    if filters.media_types:
        add("d.media_type = ANY(%s)", list(filters.media_types))
    if filters.categories:
        add("d.category = ANY(%s)", list(filters.categories))
    if filters.tags:
        add("d.tags @> %s::varchar[]", list(filters.tags))
    if filters.modified_from:
        add("d.modified >= %s::date", filters.modified_from)
    if filters.modified_to:
        add("d.modified < %s::date + 1", filters.modified_to)
    for phrase in phrases:
        add("c.text ~* %s", r"\m" + r"\W+".join(phrase) + r"\M")
    if excluded:
        add(
            "NOT EXISTS (SELECT FROM ingestion_posting x WHERE x.term_id = ANY(%s) "
            "AND x.collection_id = c.collection_id AND x.chunk_id = c.id AND x.lemma_count > 0)",
            list(excluded),
        )
    return Condition(sql=" AND ".join(clauses), parameters=parameters)


def named(condition: Condition) -> tuple[str, dict[str, Any]]:
    """The condition with named parameters, as the query around it has them."""
    names = [f"c{i}" for i in range(len(condition.parameters))]
    sql = condition.sql
    for name in names:
        sql = sql.replace("%s", f"%({name})s", 1)
    return sql, dict(zip(names, condition.parameters, strict=True))
