"""What was used, a row for each month, assistant and model: processes add to it at once and lose nothing."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from django.db import connection
from django.utils import timezone

from knowledgetree.language_models import Price
from rag.llm.spending.price_list import current_prices
from rag.llm.spending.prices import price
from rag.types import Tokens

_ADD = """
INSERT INTO rag_monthlyspending
    (month, assistant, model, requests, input, output, cache_read, cache_write, unpriced, cost)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (month, assistant, model) DO UPDATE SET
    requests = rag_monthlyspending.requests + excluded.requests,
    input = rag_monthlyspending.input + excluded.input,
    output = rag_monthlyspending.output + excluded.output,
    cache_read = rag_monthlyspending.cache_read + excluded.cache_read,
    cache_write = rag_monthlyspending.cache_write + excluded.cache_write,
    unpriced = rag_monthlyspending.unpriced + excluded.unpriced,
    cost = rag_monthlyspending.cost + excluded.cost
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One request of an assistant (a number, `rag.models.spending.NOBODY` for none) to a model."""

    assistant: int
    model: str
    tokens: Tokens = field(default_factory=Tokens)


def this_month() -> date:
    """The first day of the month, as the installation's clock has it."""
    return timezone.localdate().replace(day=1)


def add_to_ledger(uses: Iterable[Use]) -> None:
    """Add to this month's rows, each in one statement, so that nobody's figures are written over."""
    together: dict[tuple[int, str], list[Tokens]] = defaultdict(list)
    for use in uses:
        together[use.assistant, use.model].append(use.tokens)
    if not together:
        return
    month, prices = this_month(), current_prices()
    with connection.cursor() as cursor:
        for (assistant, model), tokens in together.items():
            cursor.execute(_ADD, [month, assistant, model, len(tokens), *_sums(tokens, prices.get(model))])


def _sums(requests: Iterable[Tokens], of: Price | None) -> list[float]:
    used = sum(requests, start=Tokens())
    counted = [used.input, used.output, used.cache_read, used.cache_write]
    return [*counted, 0, price(used, of)] if of else [*counted, used.total, 0.0]
