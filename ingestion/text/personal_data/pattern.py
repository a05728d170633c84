"""One way in which personal data are written: a form, what is asked of it, a word before it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "pesel",
    "nip",
    "regon",
    "iban",
    "email",
    "phone",
    "card",
    "identity_card",
    "passport",
    "birth_date",
    "address",
    "person",
]

_SEPARATORS = re.compile(r"[\s\u00a0\-–.()]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """`form` finds candidates, `is_valid` is asked of each without its separators (as written, where `as_written`).

    `context` must then be found in the `reach` characters before it, on the same or the previous line.

    What spares the search of most texts: `words`, lower case, one of which is in whatever text has it, and `is_long`,
    that it has seven digits at least and no more than ten other signs between two of them.
    """

    kind: Kind
    form: re.Pattern[str]
    is_valid: Callable[[str], bool]
    context: re.Pattern[str] | None = None
    reach: int = 40
    as_written: bool = False
    words: tuple[str, ...] = ()
    is_long: bool = True

    def holds(self, text: str, match: re.Match[str]) -> bool:
        number = match[0] if self.as_written else _SEPARATORS.sub("", match[0]).upper()
        if not self.is_valid(number):
            return False
        before = text[max(0, match.start() - self.reach) : match.start()]
        return self.context is None or self.context.search(before) is not None


def anything(_: str) -> bool:
    return True


def has_digits(least: int) -> Callable[[str], bool]:
    return lambda written: sum(map(str.isdigit, written)) >= least


def number_form(pattern: str) -> re.Pattern[str]:
    """No letter, digit or currency may touch it: a piece of a longer number is no number."""
    return re.compile(rf"(?<![\w/])(?<!\d[.,\-]){pattern}(?![\w/])(?![.,\-]\d)", re.VERBOSE)


def any_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


GAP = r"[ \u00a0\-]?"
COUNTED = r"(?!\s?(?:zł|PLN|EUR|USD|tys|mln|mld|%|szt|km|ha|m2|m²|os(?:[oó]b|\.)))"
