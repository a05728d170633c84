"""Excel's dates: a count of days since 1900 or 1904, written by a pattern such as "dd.mm.yyyy hh:mm"."""

import re
from datetime import datetime, timedelta

from ingestion.text.calendar import MONTHS, MONTHS_OF_A_DAY, WEEKDAYS

_EPOCH_1900 = datetime(1899, 12, 30)  # one day early: Excel believes that 1900 was a leap year
_EPOCH_1904 = datetime(1904, 1, 1)
_TOKEN = re.compile(
    r"\[(h+|m+|s+)\]|(y+|m+|d+|h+|s+(?:\.0+)?|a/p|am/pm)|\"([^\"]*)\"|\\(.)|_(.)|\*(.)|\[[^\]]*\]|(.)", re.I | re.S
)
_QUOTED = re.compile(r"\"[^\"]*\"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_.|\*.", re.I)


def is_date(pattern: str) -> bool:
    """Whether a number format shows a date or a time: "yyyy-mm-dd", "[h]:mm", but not "0.00" or "General"."""
    bare = _QUOTED.sub("", pattern).lower()
    return "general" not in bare and re.search(r"[dmyhs]", bare) is not None


def date_text(serial: float, pattern: str, *, from_1904: bool) -> str:
    """`serial` days as the pattern writes them, months and weekdays in Polish.

    Raises ValueError or OverflowError for what is no date.
    """
    if serial < 0:
        raise ValueError(serial)
    # Rounded to milliseconds: 0.5 of a day is stored as 0.49999999999.
    milliseconds = round(serial * 86_400_000)
    moment = (_EPOCH_1904 if from_1904 else _EPOCH_1900) + timedelta(milliseconds=milliseconds)
    if not from_1904 and serial < 60:
        moment += timedelta(days=1)  # before the day that never was
    tokens = list(_TOKEN.finditer(pattern.partition(";")[0]))
    written = "".join(_written(tokens, index, moment, milliseconds / 1000) for index in range(len(tokens)))
    return " ".join(written.split())


def _written(tokens: list[re.Match[str]], index: int, moment: datetime, seconds: float) -> str:
    elapsed, unit, quoted, escaped, _space, _fill, other = tokens[index].groups()
    if elapsed:
        return _padded(int(seconds // {"h": 3600, "m": 60, "s": 1}[elapsed[0].lower()]), len(elapsed))
    if unit:
        return _unit(unit.lower(), tokens, index, moment)
    return quoted or escaped or (other or "")


def _unit(unit: str, tokens: list[re.Match[str]], index: int, moment: datetime) -> str:
    if unit[0] == "a":
        return "AM" if moment.hour < 12 else "PM"
    if unit[0] == "y":
        return f"{moment.year:04d}" if len(unit) > 2 else f"{moment.year % 100:02d}"
    if unit[0] == "m" and not _is_minute(tokens, index):
        return _month(moment, len(unit), with_day=any((one[2] or "").lower() in ("d", "dd") for one in tokens))
    if unit[0] == "d":
        if len(unit) < 3:
            return _padded(moment.day, len(unit))
        return WEEKDAYS[moment.weekday()][: 3 if len(unit) == 3 else 99]
    if unit[0] == "h":
        twelve = any((one[2] or "").lower().startswith("a") for one in tokens)
        return _padded((moment.hour % 12 or 12) if twelve else moment.hour, len(unit))
    if unit[0] == "m":
        return _padded(moment.minute, len(unit))
    return _second(unit, moment)


def _month(moment: datetime, width: int, *, with_day: bool) -> str:
    """3: "3", "03", "mar", "marzec", and "marca" beside a day."""
    if width < 3:
        return _padded(moment.month, width)
    name = (MONTHS_OF_A_DAY if with_day and width > 3 else MONTHS)[moment.month - 1]
    return name[:3] if width == 3 else name


def _second(unit: str, moment: datetime) -> str:
    whole, _dot, fraction = unit.partition(".")
    digits = f"{moment.microsecond:06d}"[: len(fraction)]
    return _padded(moment.second, len(whole)) + (f",{digits}" if digits else "")


def _is_minute(tokens: list[re.Match[str]], index: int) -> bool:
    """ "m" is a minute after hours and before seconds, otherwise a month."""
    before = next((one for one in reversed(tokens[:index]) if one[1] or one[2]), None)
    after = next((one for one in tokens[index + 1 :] if one[1] or one[2]), None)
    first, last = ((one[1] or one[2]).lower() if one else "" for one in (before, after))
    return first.startswith("h") or last.startswith("s")


def _padded(number: int, width: int) -> str:
    return f"{number:0{width}d}"
