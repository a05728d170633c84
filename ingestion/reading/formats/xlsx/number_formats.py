"""A number as a Polish Excel shows it: "1 234,50 zł", "12,5%", "15.03.2024", "00-950"."""

import re
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from ingestion.reading.formats.xlsx.date_formats import date_text, is_date

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "dd.mm.yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "hh:mm",
    21: "hh:mm:ss", 22: "dd.mm.yyyy hh:mm", 37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00",
    40: "#,##0.00;-#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
"""Formats that files name by number only; ECMA-376 part 1, 18.8.30, dates in the Polish order."""

GROUP = "\u00a0"
"""Between thousands: `encoding.clean` keeps a hard space between digits, where it says that they are one number."""

_LOCALE_DATE = {"mm-dd-yy": "dd.mm.yyyy", "m/d/yyyy": "dd.mm.yyyy", "m/d/yy h:mm": "dd.mm.yyyy hh:mm"}
_PIECE = re.compile(r"\"([^\"]*)\"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.|([0#?][0#?.,]*)|(%)|(.)", re.S)
_UNSUPPORTED = re.compile(r"E[+-]|[0#?]\s*/\s*[0#?\d]|general", re.I)
_MAX_PATTERN = 255


def shown_number(value: float, pattern: str, *, from_1904: bool = False) -> str:
    """`value` by the number format `pattern`; a format that is not understood shows the plain number.

    `from_1904`: the workbook counts dates from 1904 (old Macs).
    """
    pattern = _LOCALE_DATE.get(pattern, pattern)
    if not pattern or pattern == "@" or len(pattern) > _MAX_PATTERN:
        return plain_number(value)
    try:
        if is_date(pattern):
            return date_text(value, pattern, from_1904=from_1904)
        section, magnitude = _section(value, pattern)
        return plain_number(value) if _UNSUPPORTED.search(section) else _by_section(magnitude, section)
    except (ValueError, OverflowError):
        return plain_number(value)


def plain_number(value: float) -> str:
    """Up to 15 digits, as Excel keeps them, with a decimal comma: 0.1 + 0.2 is "0,3"."""
    return f"{value:.15g}".replace(".", ",")


def _section(value: float, pattern: str) -> tuple[str, float]:
    """The part of "positive;negative;zero" that applies, and the number it is to show."""
    sections = _sections(pattern)
    if value < 0 and len(sections) > 1:
        return sections[1], -value
    if value == 0 and len(sections) > 2:
        return sections[2], 0.0
    return sections[0], value


@lru_cache(maxsize=1000)
def _sections(pattern: str) -> tuple[str, ...]:
    return tuple(re.findall(r"(?:^|(?<=;))((?:\"[^\"]*\"|\\.|[^;\"])*)", pattern)) or ("",)


@lru_cache(maxsize=1000)
def _pieces(section: str) -> tuple[tuple[str, str], ...]:
    """("digits", "#,##0.00"), ("percent", "%") and ("text", "zł") in order."""
    pieces: list[tuple[str, str]] = []
    for quoted, escaped, currency, digits, percent, other in _PIECE.findall(section):
        if digits:
            pieces.append(("digits", digits))
        elif percent:
            pieces.append(("percent", "%"))
        elif text := quoted or escaped or currency or other:
            pieces.append(("text", text))
    return tuple(pieces)


def _by_section(value: float, section: str) -> str:
    pieces = _pieces(section)
    masks = [piece for kind, piece in pieces if kind == "digits"]
    if not masks:
        return _tidy("".join(piece for _kind, piece in pieces))
    shown = _digits(value * 100 if ("percent", "%") in pieces else value, masks)
    return _tidy("".join(shown.pop(0) if kind == "digits" else piece for kind, piece in pieces))


def _digits(value: float, masks: list[str]) -> list[str]:
    """What stands for each run of digits: a mask such as "000-000-000" has several, filled from the right."""
    whole, dot, fraction = masks[-1].partition(".")
    scale = len(whole) - len(whole.rstrip(","))
    least = fraction.count("0")
    rounded = _rounded(abs(value) / 1000**scale, sum(fraction.count(one) for one in "0#?"))
    integer, _point, decimals = rounded.partition(".")
    decimals = decimals[:least] + decimals[least:].rstrip("0")
    grouped = "," in "".join(masks).strip(",") and "," in whole.rstrip(",")
    negative = "-" if value < 0 and float(rounded) else ""
    parts = _filled(integer, [*(mask.replace(",", "") for mask in masks[:-1]), whole.replace(",", "")])
    if grouped:
        parts[-1] = f"{int(parts[-1] or 0):,}".replace(",", GROUP)
    parts[0] = negative + parts[0]
    parts[-1] += f",{decimals}" if dot and decimals else ""
    return parts


def _rounded(value: float, places: int) -> str:
    """Half away from zero, as Excel rounds; Python's own rounding would show 0.125 as 0,12."""
    return f"{Decimal(f'{value:.15g}').quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):f}"


def _filled(integer: str, masks: list[str]) -> list[str]:
    """`integer` spread over the masks from the right; the first takes all that is left."""
    parts: list[str] = []
    for index, mask in enumerate(reversed(masks)):
        is_first = index == len(masks) - 1
        own, integer = (integer, "") if is_first else (integer[-len(mask) :], integer[: -len(mask)])
        parts.insert(0, own.rjust(mask.count("0"), "0") if own.strip("0") or "0" in mask else "")
    return parts


def _tidy(text: str) -> str:
    return " ".join(text.split(" ")).strip()
