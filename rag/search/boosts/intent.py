"""A lift for passages of the shape that the kind of question asks for: steps for a procedure, a table to compare by."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rag.search.context import SearchContext
from rag.types import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Text in which `pattern` is found at least `times`."""

    pattern: re.Pattern[str]
    reason: str | Promise
    times: int = 1

    def fits(self, text: str) -> bool:
        found = self.pattern.finditer(text)
        return all(next(found, None) for _ in range(self.times))


_SHAPES: Mapping[str, Shape] = {
    "procedure": Shape(
        pattern=re.compile(r"^\s*(?:\d{1,2}[.)]|[a-z]\)|[-*•–])\s", re.M),
        times=3,
        reason=_("You ask how to do something, it has steps"),
    ),
    "comparison": Shape(
        pattern=re.compile(r"^\s*\|.*\|", re.M), times=3, reason=_("You ask for a comparison, it has a table")
    ),
    "technical": Shape(
        pattern=re.compile(r"`[^`\n]+`|^```|\b[a-z\d]+(?:_[a-z\d]+)+\b|\b[A-Z]{3,} /\w", re.M),
        reason=_("You ask a technical question, it has code or names of settings"),
    ),
    "performance": Shape(
        pattern=re.compile(r"\d\s?(?:ms|s|sek\.?|min\.?|[kMG]B|%|req/s)(?!\w)"),
        reason=_("You ask about performance, it has measured values"),
    ),
}


def intent(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """All of the lift where the passage has the shape; kinds of question without a shape lift nothing."""
    shape = _SHAPES.get(search.intent)
    if shape is None or not shape.fits(passage.text):
        return 0.0, ""
    return search.preset.boosts.intent, str(shape.reason)
