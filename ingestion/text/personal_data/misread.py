"""Numbers that a scanner or a typing hand spoilt: letters in the place of digits, a wrong checksum.

The form must be one that nothing else has, or a word before it say what it is.
"""

from ingestion.text.lookalikes import DIGIT
from ingestion.text.personal_data.pattern import COUNTED, GAP, Pattern, any_case, has_digits, number_form

_FOUR = r"[\w|!]{4}"


def _begins_with_birth(written: str) -> bool:
    """Whether a PESEL may begin so, as far as its signs are digits; three of them may be none."""
    month, day = written[2:4], written[4:6]
    born = (not month.isdigit() or int(month) % 20 in range(1, 13)) and (not day.isdigit() or int(day) in range(1, 32))
    return born and has_digits(8)(written)


MISREAD_PESEL = Pattern(
    kind="pesel", form=number_form(rf"(?=\d*[^\d\s]){DIGIT}{{11}}"), is_valid=_begins_with_birth, as_written=True
)
PESEL_NAMED = Pattern(
    kind="pesel",
    form=number_form(rf"(?:{DIGIT}|[A-Za-z]){{10,12}}"),
    is_valid=has_digits(8),
    context=any_case(r"\bpesel\w*"),
    reach=25,
    as_written=True,
    words=("pesel",),
)
MISREAD_ACCOUNT = Pattern(
    kind="iban",
    form=number_form(rf"(?:PL{GAP})?{DIGIT}{{2}}(?:[ \u00a0]{DIGIT}{{4}}){{6}}"),
    is_valid=has_digits(22),
    as_written=True,
)
CARD = Pattern(
    kind="card",
    form=number_form(
        rf"(?!(?:(?:19|20)\d\d\D){{2}}){_FOUR}(?P<gap>[ \u00a0]|[ ]?[-–][ ]?)(?:{_FOUR}(?P=gap)){{2}}{_FOUR}"
    ),
    is_valid=has_digits(12),
    as_written=True,
)
DOCUMENT_NAMED = Pattern(
    kind="identity_card",
    form=number_form(rf"(?:[A-Za-z]{{2,3}}[ ]?[\w|!]{{4,7}}|{_FOUR}(?:[ ]?[-–][ ]?{_FOUR}){{2}})"),
    is_valid=has_digits(3),
    context=any_case(
        r"\b(?:dow[oó]d\w*|paszport\w*|legitymacj\w+|praw\w* jazdy|dokument\w* tożsamości)"
        r"(?:[\s:=(–-]|\b(?:osobist\w+|numer\w*|nr|seri[aię]|czyli|to|ma|mam|i|o|ten|jego|jej)\b\.?)*$"
    ),
    reach=60,
    as_written=True,
    words=("dowod", "dowód", "paszport", "legitymacj", "jazdy", "tożsamości"),
    is_long=False,
)
_PHONE_SPOILT = (
    rf"(?:{DIGIT}{{3}}(?P<gap>[ \u00a0\-]){DIGIT}{{3}}(?P=gap){DIGIT}{{3}}"
    rf"|{DIGIT}{{2}}(?P<other>[ \u00a0\-]){DIGIT}{{3}}(?P=other){DIGIT}{{2}}(?P=other){DIGIT}{{2}})"
)
MISREAD_PHONE_WITH_COUNTRY = Pattern(
    kind="phone", form=number_form(rf"\+{DIGIT}{{2}}{GAP}{_PHONE_SPOILT}"), is_valid=has_digits(8), as_written=True
)
MISREAD_PHONE = Pattern(
    kind="phone",
    form=number_form(rf"{_PHONE_SPOILT}{COUNTED}"),
    is_valid=has_digits(7),
    context=any_case(
        r"\b(?:tele?fon\w*|tel|kom(?:órk\w*|órkow\w*)?|fax\w*|faks\w*|mobile|phone|infolini\w*|(?:za|od|prze)?dzwo[nń]\w*"
        r"|kontakt\w*|sms\w*|numer\w*|nr|namiar\w*|(?:z)?łap\w*)\b"
    ),
    as_written=True,
)

MISREAD = (
    MISREAD_ACCOUNT,
    CARD,
    MISREAD_PESEL,
    PESEL_NAMED,
    MISREAD_PHONE_WITH_COUNTRY,
    MISREAD_PHONE,
    DOCUMENT_NAMED,
)
