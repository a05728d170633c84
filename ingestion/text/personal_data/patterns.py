"""How each kind of personal data is written. The order is that of certainty: what one has taken, no later one takes.

A checksum alone lets one number in ten or eleven pass. Where the form is common, such as nine digits, a word before
the number must say what it is too.
"""

import re

from stdnum import iban
from stdnum.pl import nip, pesel, regon

from ingestion.text.personal_data.pattern import COUNTED, GAP, Pattern, any_case, anything, number_form

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


def _polish_iban(number: str) -> bool:
    """Of the Polish form, the country's letters may be missing."""
    return bool(iban.is_valid(number if number[0].isalpha() else f"PL{number}"))


_IN_THREES = rf"\d{{3}}{GAP}\d{{3}}{GAP}\d{{3}}"
_WITH_REGION = rf"\(?0?\d{{2}}\)?{GAP}\d{{3}}{GAP}\d{{2}}{GAP}\d{{2}}"

EMAIL = Pattern(
    kind="email",
    form=re.compile(r"(?<![\w.+\-])[\w.+\-]{1,64}@(?:[\w\-]{1,63}\.){1,8}[^\W\d_]{2,24}\b"),
    is_valid=anything,
    as_written=True,
    words=("@",),
    is_long=False,
)
POLISH_ACCOUNT = Pattern(
    kind="iban",
    form=number_form(rf"(?:PL{GAP})?\d{{2}}(?:{GAP}\d{{4}}){{6}}"),
    is_valid=_polish_iban,
)
FOREIGN_ACCOUNT = Pattern(
    kind="iban",
    form=number_form(r"[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?"),
    is_valid=iban.is_valid,
    is_long=False,
)
PESEL = Pattern(kind="pesel", form=number_form(r"(?!(\d)\1{10})\d{11}"), is_valid=pesel.is_valid)
NIP_AS_PRINTED = Pattern(
    kind="nip",
    form=number_form(r"(?:(?:PL[ ]?)?\d{3}-\d{3}-\d{2}-\d{2}|\d{3}-\d{2}-\d{2}-\d{3}|PL[ ]?\d{10})"),
    is_valid=nip.is_valid,
)
NIP_NAMED = Pattern(
    kind="nip",
    form=number_form(rf"(?!(\d)\1{{9}})(?:\d{{3}}(?:{GAP}\d{{2,3}}){{3}}|\d{{10}})"),
    is_valid=nip.is_valid,
    context=any_case(r"\bNIP\b|podatkow\w+|\bVAT\b"),
    words=("nip", "podatkow", "vat"),
)
REGON = Pattern(
    kind="regon",
    form=number_form(rf"(?:\d{{9}}(?:\d{{5}})?|{_IN_THREES})"),
    is_valid=regon.is_valid,
    context=any_case(r"\bREGON\b|statystyczn\w+"),
    words=("regon", "statystyczn"),
)
IDENTITY_CARD = Pattern(
    kind="identity_card",
    form=number_form(r"[A-Z]{3}[ ]?\d{6}"),
    is_valid=is_identity_card,
    context=any_case(r"\bdow[oó]d\w*|\bseri[aię]\b|tożsamo\w+|legitymuj\w+"),
    reach=80,
    words=("dowod", "dowód", "seri", "tożsamo", "legitymuj"),
    is_long=False,
)
PASSPORT = Pattern(
    kind="passport",
    form=number_form(r"[A-Z]{2}[ ]?\d{7}"),
    is_valid=is_passport,
    context=any_case(r"\bpaszport\w*|\bpassport"),
    reach=80,
    words=("paszport", "passport"),
)
PHONE_WITH_COUNTRY = Pattern(
    kind="phone",
    form=number_form(rf"(?:\+|00)48{GAP}(?:{_WITH_REGION}|{_IN_THREES})"),
    is_valid=is_phone,
    as_written=True,
)
PHONE_NAMED = Pattern(
    kind="phone",
    form=number_form(rf"(?:{_WITH_REGION}|{_IN_THREES})"),
    is_valid=is_phone,
    context=any_case(r"\b(?:tele?fon\w*|tel|kom(?:órk\w*|órkow\w*)?|fax\w*|faks\w*|mobile|phone|infolini\w*)\b"),
)
MOBILE_AS_PRINTED = Pattern(
    kind="phone", form=number_form(rf"\d{{3}}([ \u00a0\-])\d{{3}}\1\d{{3}}{COUNTED}"), is_valid=is_mobile
)

LANDLINE_AS_PRINTED = Pattern(
    kind="phone", form=number_form(rf"\d{{2}}([ \u00a0])\d{{3}}\1\d{{2}}\1\d{{2}}{COUNTED}"), is_valid=is_phone
)
BIRTH_DATE = Pattern(
    kind="birth_date",
    form=number_form(
        r"(?:\d{1,2}[. ]{1,2}(?:\d{1,2}[. ]{1,2}|[a-ząćęłńóśźż]{3,12}[ ])(?:19|20)\d{2}"
        r"|(?:19|20)\d{2}[ ]?[-–][ ]?\d{2}[ ]?[-–][ ]?\d{2})"
    ),
    is_valid=anything,
    context=any_case(r"\b(?:ur\.|urodz\w+|narodzin\w*)"),
    as_written=True,
    words=("ur.", "urodz", "narodzin"),
    is_long=False,
)

CERTAIN = (
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
    LANDLINE_AS_PRINTED,
    BIRTH_DATE,
)
