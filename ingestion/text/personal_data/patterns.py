"""How each kind of personal data is written. The order is that of certainty: what one has taken, no later one takes.

A checksum alone lets one number in ten or eleven pass. Where the form is common, such as nine digits, a word before
the number must say what it is too.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from stdnum import iban
from stdnum.pl import nip, pesel, regon

_MOBILE = frozenset("45 50 51 53 57 60 66 69 72 73 78 79 88".split())
_REGIONS = frozenset(
    "12 13 14 15 16 17 18 22 23 24 25 29 32 33 34 41 42 43 44 46 48 52 54 55 56 58 59 61 62 63 65 67 68 71 74 75 76 "
    "77 81 82 83 84 85 86 87 89 91 94 95".split()
)
_NOT_DIGITS = re.compile(r"\D+")


def is_phone(number: str) -> bool:
    """Whether the nine digits, whatever stands between them and with or without the country's 48, can be called."""
    digits = _NOT_DIGITS.sub("", number)
    if len(digits) > 9:
        digits = digits.removeprefix("00").removeprefix("48")
    return len(digits) == 9 and digits[:2] in _MOBILE | _REGIONS


def is_mobile(number: str) -> bool:
    return is_phone(number) and _NOT_DIGITS.sub("", number)[-9:-7] in _MOBILE


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# The weight of the check digit is odd too: then the whole sum is divisible by ten (ICAO's 7-3-1 scheme, varied).
_IDENTITY_CARD = (7, 3, 1, 9, 7, 3, 1, 7, 3)
_PASSPORT = (7, 3, 9, 1, 7, 3, 1, 7, 3)


def is_identity_card(number: str) -> bool:
    """Three letters and six digits, such as ABA300000."""
    return _is_weighted(number, letters=3, weights=_IDENTITY_CARD)


def is_passport(number: str) -> bool:
    """Two letters and seven digits, such as ZS0000177."""
    return _is_weighted(number, letters=2, weights=_PASSPORT)


def _is_weighted(number: str, *, letters: int, weights: tuple[int, ...]) -> bool:
    if len(number) != len(weights) or not set(number[:letters]) <= set(_LETTERS) or not number[letters:].isdecimal():
        return False
    values = (_LETTERS.index(sign) + 10 if sign in _LETTERS else int(sign) for sign in number)
    return sum(value * weight for value, weight in zip(values, weights, strict=True)) % 10 == 0


Kind = Literal["pesel", "nip", "regon", "iban", "email", "phone", "identity_card", "passport"]

_SEPARATORS = re.compile(r"[\s\u00a0\-–.()]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """`form` finds candidates, `is_valid` is asked of each without its separators (as written, where `as_written`).

    `context` must then be found in the `reach` characters before it, on the same or the previous line.
    """

    kind: Kind
    form: re.Pattern[str]
    is_valid: Callable[[str], bool]
    context: re.Pattern[str] | None = None
    reach: int = 40
    as_written: bool = False

    def holds(self, text: str, match: re.Match[str]) -> bool:
        number = match[0] if self.as_written else _SEPARATORS.sub("", match[0]).upper()
        if not self.is_valid(number):
            return False
        before = text[max(0, match.start() - self.reach) : match.start()]
        return self.context is None or self.context.search(before) is not None


def _polish_iban(number: str) -> bool:
    """Of the Polish form, the country's letters may be missing."""
    return bool(iban.is_valid(number if number[0].isalpha() else f"PL{number}"))


def _any(_: str) -> bool:
    return True


def _form(pattern: str) -> re.Pattern[str]:
    """No letter, digit or currency may touch it: a piece of a longer number is no number."""
    return re.compile(rf"(?<![\w/])(?<!\d[.,\-]){pattern}(?![\w/])(?![.,\-]\d)", re.VERBOSE)


def _word(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_GAP = r"[ \u00a0\-]?"
_COUNTED = r"(?!\s?(?:zł|PLN|EUR|USD|tys|mln|mld|%|szt|km|ha|m2|m²|os(?:[oó]b|\.)))"
_IN_THREES = rf"\d{{3}}{_GAP}\d{{3}}{_GAP}\d{{3}}"
_WITH_REGION = rf"\(?0?\d{{2}}\)?{_GAP}\d{{3}}{_GAP}\d{{2}}{_GAP}\d{{2}}"

EMAIL = Pattern(
    kind="email",
    form=re.compile(r"(?<![\w.+\-])[\w.+\-]{1,64}@(?:[\w\-]{1,63}\.){1,8}[^\W\d_]{2,24}\b"),
    is_valid=_any,
    as_written=True,
)
POLISH_ACCOUNT = Pattern(
    kind="iban",
    form=_form(rf"(?:PL{_GAP})?\d{{2}}(?:{_GAP}\d{{4}}){{6}}"),
    is_valid=_polish_iban,
)
FOREIGN_ACCOUNT = Pattern(
    kind="iban",
    form=_form(r"[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?"),
    is_valid=iban.is_valid,
)
PESEL = Pattern(kind="pesel", form=_form(r"(?!(\d)\1{10})\d{11}"), is_valid=pesel.is_valid)
NIP_AS_PRINTED = Pattern(
    kind="nip",
    form=_form(r"(?:(?:PL[ ]?)?\d{3}-\d{3}-\d{2}-\d{2}|\d{3}-\d{2}-\d{2}-\d{3}|PL[ ]?\d{10})"),
    is_valid=nip.is_valid,
)
NIP_NAMED = Pattern(
    kind="nip",
    form=_form(rf"(?!(\d)\1{{9}})(?:\d{{3}}(?:{_GAP}\d{{2,3}}){{3}}|\d{{10}})"),
    is_valid=nip.is_valid,
    context=_word(r"\bNIP\b|podatkow\w+|\bVAT\b"),
)
REGON = Pattern(
    kind="regon",
    form=_form(rf"(?:\d{{9}}(?:\d{{5}})?|{_IN_THREES})"),
    is_valid=regon.is_valid,
    context=_word(r"\bREGON\b|statystyczn\w+"),
)
IDENTITY_CARD = Pattern(
    kind="identity_card",
    form=_form(r"[A-Z]{3}[ ]?\d{6}"),
    is_valid=is_identity_card,
    context=_word(r"\bdow[oó]d\w*|\bseri[aię]\b|tożsamo\w+|legitymuj\w+"),
    reach=80,
)
PASSPORT = Pattern(
    kind="passport",
    form=_form(r"[A-Z]{2}[ ]?\d{7}"),
    is_valid=is_passport,
    context=_word(r"\bpaszport\w*|\bpassport"),
    reach=80,
)
PHONE_WITH_COUNTRY = Pattern(
    kind="phone",
    form=_form(rf"(?:\+|00)48{_GAP}(?:{_WITH_REGION}|{_IN_THREES})"),
    is_valid=is_phone,
    as_written=True,
)
PHONE_NAMED = Pattern(
    kind="phone",
    form=_form(rf"(?:{_WITH_REGION}|{_IN_THREES})"),
    is_valid=is_phone,
    context=_word(r"\b(?:tele?fon\w*|tel|kom(?:órk\w*|órkow\w*)?|fax\w*|faks\w*|mobile|phone|infolini\w*)\b"),
)
MOBILE_AS_PRINTED = Pattern(
    kind="phone", form=_form(rf"\d{{3}}([ \u00a0\-])\d{{3}}\1\d{{3}}{_COUNTED}"), is_valid=is_mobile
)

PATTERNS = (
    EMAIL,
    POLISH_ACCOUNT,
    FOREIGN_ACCOUNT,
    PESEL,
    NIP_AS_PRINTED,
    NIP_NAMED,
    REGON,
    IDENTITY_CARD,
    PASSPORT,
    PHONE_WITH_COUNTRY,
    PHONE_NAMED,
    MOBILE_AS_PRINTED,
)
