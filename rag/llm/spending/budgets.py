"""How much of a month's budget is used, and whether models may still be asked."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from django.db import connection

from knowledgetree.language_models import LLMSettings
from rag.llm.spending.ledger import this_month
from rag.llm.spending.meter import assistant_spending

_STATES = """
SELECT
    b.id, b.assistant_id, a.name, b.dollars, b.tokens, b.warn_percent,
    coalesce(sum(s.cost), 0), coalesce(sum(s.input + s.output), 0), coalesce(sum(s.unpriced), 0)
FROM rag_monthlybudget b
LEFT JOIN rag_assistant a ON a.id = b.assistant_id
LEFT JOIN rag_monthlyspending s ON s.month = %(month)s AND (b.assistant_id IS NULL OR s.assistant = b.assistant_id)
WHERE %(everybody)s OR b.assistant_id IS NULL OR b.assistant_id = %(assistant)s
GROUP BY b.id, a.name
ORDER BY a.name NULLS FIRST, b.id
"""

Level = Literal["free", "warned", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetState:
    """A budget and what is used of it this month. `assistant` None: that of the whole installation.

    `unpriced` of the `used_tokens` are of models without a price, and so no part of `used_dollars`.
    """

    id: int
    assistant: int | None
    name: str | None
    dollars: Decimal | None
    tokens: int | None
    warn_percent: int
    used_dollars: Decimal
    used_tokens: int
    unpriced: int

    @property
    def share(self) -> float:
        """Used of what is allowed, 1 and more where it is used up; of two limits the one that is nearer."""
        shares = [
            float(used) / float(limit) if limit else 1.0
            for used, limit in ((self.used_dollars, self.dollars), (self.used_tokens, self.tokens))
            if limit is not None
        ]
        return max(shares, default=0.0)

    @property
    def level(self) -> Level:
        if self.share >= 1:
            return "stopped"
        return "warned" if self.share * 100 >= self.warn_percent else "free"

    @property
    def misses_prices(self) -> bool:
        """Whether a limit in dollars leaves out models that have no price."""
        return self.dollars is not None and self.unpriced > 0


def budget_states() -> list[BudgetState]:
    """All budgets: the installation's first, then by the assistants' names."""
    return _states(everybody=True)


def exhausted_budget(assistant: int | None) -> BudgetState | None:
    """The budget that forbids to ask a model for `assistant` (a number) or, None, for nobody in particular."""
    return next((state for state in _states(assistant=assistant) if state.level == "stopped"), None)


def affordable(llm: LLMSettings) -> LLMSettings:
    """The settings, as of an installation without a model where the budget of this month is used up: that of whoever
    spends here (`rag.llm.spending.meter.spending_for`) or that of all. One query.
    """
    if not llm.configured or not exhausted_budget(assistant_spending()):
        return llm
    return replace(llm, api_key="", base_url="", models={}, servers={})


def _states(*, assistant: int | None = None, everybody: bool = False) -> list[BudgetState]:
    with connection.cursor() as cursor:
        cursor.execute(_STATES, {"month": this_month(), "everybody": everybody, "assistant": assistant})
        return [BudgetState(**dict(zip(_NAMES, row, strict=True))) for row in cursor.fetchall()]


_NAMES = tuple(BudgetState.__dataclass_fields__)
