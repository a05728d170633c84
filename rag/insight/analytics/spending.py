"""What language models read, wrote and cost in a period."""

from dataclasses import dataclass

from django.db import connection

from rag.insight.analytics.period import Period

# Answers of releases that did not note the model of each step know that of the answer alone.
_SPENT = """
SELECT
    coalesce(e.metrics -> 'models' ->> used.step, CASE used.step WHEN 'answer' THEN e.model ELSE '' END) AS model,
    count(DISTINCT e.id),
    sum((used.tokens ->> 'input')::bigint),
    sum((used.tokens ->> 'output')::bigint),
    sum((used.tokens ->> 'cache_read')::bigint),
    coalesce(sum((e.metrics -> 'costs' ->> used.step)::float), 0) AS cost
FROM rag_exchange e, jsonb_each(e.metrics -> 'usage') AS used (step, tokens)
WHERE e.created >= %s AND e.created <= %s
GROUP BY 1 ORDER BY cost DESC, 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpending:
    """`model` "" where it was not noted. `cached` tokens of `input` were read from the provider's cache.

    `cost` in US dollars, by the prices at the time; 0 where the model had none.
    """

    model: str
    questions: int
    input: int
    output: int
    cached: int
    cost: float


def spending_of(period: Period) -> tuple[ModelSpending, ...]:
    """By model, the dearest first."""
    with connection.cursor() as cursor:
        cursor.execute(_SPENT, [period.start, period.end])
        rows = cursor.fetchall()
    return tuple(ModelSpending(**dict(zip(_NAMES, row, strict=True))) for row in rows)


_NAMES = ("model", "questions", "input", "output", "cached", "cost")
