"""Postal addresses: a street and its number, with a postcode and a town where they follow."""

import re
from collections.abc import Iterator

_UPPER = "A-ZĄĆĘŁŃÓŚŹŻß"
_GAP = r"[ \u00a0]{1,3}"
# What says that a name is a street's, in all cases; scanners read "ul." as "u1." too.
_KIND = (
    r"(?:[uU][lł1|i]|[aA][lłi1|]|[pP][lł1|i]|[oO]s)\.[ \u00a0]{0,3}"
    rf"|(?:[uU][lł1|][i1|][cć]\w{{1,3}}|[aA][lł1|][eę][ij]\w{{0,3}}|[pP][lł1|][aą@][cć]\w{{0,3}}|[oO]siedl(?:e|a|u|em)"
    rf"|[rR]ond(?:o|a|u|em)|[sS]kwer(?:u|ze|em)?|[bB]ulwar(?:u|ze|em)?){_GAP}"
)
# Signs that scanners put in the place of letters stand in names of streets and towns, letters in numbers.
_WORD = rf"(?:[{_UPPER}]\.|[{_UPPER}\d](?:[\w@€$|'’]|!(?=[ ]?\w))*)(?:{_GAP}?[-–]{_GAP}?[{_UPPER}][\w@€$|!]*){{0,2}}"
_LINK = r"(?:na|nad|pod|przy|przed|od|i|w|ku|do|de|von|płk|gen|ks|bp|kard|św|dr|prof|por|mjr|rtm)\.?"
_NAME = rf"[\"„]?(?:{_WORD}|{_LINK})[\"”]?,?{_GAP}"
_FLAT = r"(?:[ ]?[/\\][ ]?[\w|!]{1,4}|[ ](?:m|lok|lokal)\.?[ ]?\d{1,4})"
_NUMBER = rf"\d{{1,4}}[a-zA-Z]?(?![\w]|[.,]\d){_FLAT}?"
_NOT_NUMBERED = (  # "3 Maja" is a name, "w 1988 r." a date
    r"(?![ ](?:Stycznia|Lutego|Marca|Kwietnia|Maja|Czerwca|Lipca|Sierpnia|Września|Października|Listopada|Grudnia"
    r"|Pułku|Dywizji|Armii|r\.|roku|stycz|lut|mar|kwiet|maja|czerw|lip|sierp|wrze|paźdz|listop|grud))(?![\w])"
)
_MISREAD_NUMBER = rf"(?:[0-9OlI|]|[A-Za-z](?=\d))[\w|!]{{0,4}}{_FLAT}?(?:[ ][-–])?"
_SIGN = r"[\w|!@]"
_TOWN = rf"[{_UPPER}\d][\w|@€!]+(?:(?:[ ]?[-–][ ]?|[ \u00a0])[{_UPPER}][\w|@€!]+){{0,2}}"
_PLACE = rf"(?:{_SIGN}{{2}}[ ]?[-–][ ]?(?=[\w|!@]{{0,2}}\d){_SIGN}{{3}}),?\s{{1,2}}{_TOWN}"
_BETWEEN = r"(?:[,;]?\s{1,2}(?:(?:w|uu|vv)[ ])?)"

_WITH_STREET = (
    rf"(?:{_KIND})(?:(?:{_NAME}){{1,4}}?{_MISREAD_NUMBER}{_BETWEEN}{_PLACE}"
    rf"|(?:{_NAME}){{1,4}}?{_NUMBER}{_NOT_NUMBERED})"
)
_WITH_POSTCODE = rf"(?:{_WORD}{_GAP}){{1,4}}?{_MISREAD_NUMBER}{_BETWEEN}\d\d[ ]?[-–][ ]?\d{{3}},?\s{{1,2}}{_TOWN}"
_ADDRESS = re.compile(rf"(?<![\w.])(?:{_WITH_STREET}|{_WITH_POSTCODE})")
_STREET = re.compile(rf"(?=[uUaApPoOrRsSbB])(?<![\w.]){_WITH_STREET}")
_POSTCODE = re.compile(r"\d\d[ ]?[-–][ ]?\d{3},?\s")


def find_addresses(text: str) -> Iterator[tuple[int, int]]:
    """Characters [start, end) of each, in order; what has no word for a street must have a postcode."""
    form = _ADDRESS if _POSTCODE.search(text) else _STREET  # looked for at every capital, postcodes cost ten times more
    return (match.span() for match in form.finditer(text))
