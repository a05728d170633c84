"""Places in a text that may begin a unit: "Art. 5.", "§ 2.", "1.", "1)", "a)", "–", "Rozdział 3"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingestion.text.acts.statutes.labels import NUMBER, UnitLevel, normal_label

MAX_TITLE = 250
"""Characters between the heading of a division and its first unit that still are its title."""

_DIVISIONS = {
    "CZĘŚĆ": UnitLevel.PART,
    "KSIĘGA": UnitLevel.BOOK,
    "TYTUŁ": UnitLevel.TITLE,
    "DZIAŁ": UnitLevel.SECTION,
    "ROZDZIAŁ": UnitLevel.CHAPTER,
    "ODDZIAŁ": UnitLevel.SUBCHAPTER,
    "PODODDZIAŁ": UnitLevel.DIVISION,
}
_DIVISION_WORD = "|".join(f"{word.capitalize()}|{' ?'.join(word)}" for word in _DIVISIONS)  # "D Z I A Ł" in old prints
_ORDINAL = (
    r"[A-ZĄĆĘŁŃÓŚŹŻ]{4,}|(?i:pierwsz[ay]|drug[ai]|trzeci[a]?|czwart[ay]|piąt[ay]|szóst[ay]|ogóln[ay]|szczególn[ay])"
)
_RANGE = rf"{NUMBER}(?:\s?[-–]\s?{NUMBER})?"
_STOP = r"\\?\."
_MARKER = re.compile(
    rf"(?<![^\s(*_#>\"„”])(?:"
    rf"(?P<article>A(?:rt\.?|RT\.?|rtykuł|RTYKUŁ)\s?(?P<article_label>l(?=\.)|{_RANGE})(?P<article_stop>{_STOP})?)"
    rf"|(?P<paragraph>§\s?(?P<paragraph_label>{_RANGE})(?P<paragraph_stop>{_STOP})?)"
    rf"|(?P<passage>(?P<passage_label>{_RANGE}){_STOP})"
    rf"|(?P<point>(?P<point_label>{_RANGE})\\?\))"
    rf"|(?P<letter>(?P<letter_label>[a-z]{{1,2}}(?:\s?[-–]\s?[a-z]{{1,2}})?)\\?\))"
    rf"|(?P<indent>[–—-])"
    rf"|(?P<division>(?P<division_word>{_DIVISION_WORD})\s+"
    rf"(?P<division_label>[IVXLC]+[a-zA-Z]?\b|\d+(?:\^\d+)?[a-z]?\b|{_ORDINAL}|[A-Z]\b))"
    rf"|(?P<annex>(?:Załącznik|ZAŁĄCZNIK)(?:\s+[Nn][Rr]\.?\s*(?P<annex_label>\d+[a-z]?))?(?=[ \t]*(?:\n|$|do\s)))"
    rf")(?=[\s*_.)]|$)"
)
_LEVELS = {
    "article": UnitLevel.ARTICLE,
    "paragraph": UnitLevel.PARAGRAPH,
    "passage": UnitLevel.PASSAGE,
    "point": UnitLevel.POINT,
    "letter": UnitLevel.LETTER,
    "indent": UnitLevel.INDENT,
    "annex": UnitLevel.ANNEX,
}
_DECORATION = " \t#*_>-•"
_LONGEST_DECORATION = 12
_TRAILING = " \t\n*_#>"
_LOOK_BACK = 400
_SEEN = 40
_BLANK_LINE = re.compile(r"(?:\A|\n)[ \t]*\n?\Z")
_NOISE = re.compile(  # what printing adds between two units: running heads, page numbers, dates of the print
    r"[ \t#*_]*(?:©?\s*Kancelaria Sejmu.*|Dziennik Ustaw.*|Monitor Polski.*|Poz\. \d+|s\. \d+/\d+"
    r"|(?:[-–—] ?)?\d{1,4}(?: ?[-–—])?|Strona \d+.*|\d{4}-\d\d-\d\d)\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """Characters [start, end) may open the unit `label` of `level`, the Markdown before it included.

    `begins_line`: nothing but Markdown stands before it on its line. `stopped`: a full stop follows an article or
    paragraph. `before`: the visible text before it without what printing adds, its last characters at least.
    """

    level: UnitLevel
    label: str
    start: int
    end: int
    begins_line: bool
    stopped: bool
    before: str
    after_blank_line: bool


def markers(text: str) -> Iterator[Marker]:
    """All places of `text` that look like the beginning of a unit, in order; most that stand inside lines are none."""
    for found in _MARKER.finditer(text):
        kind = str(found.lastgroup)
        line = text.rfind("\n", max(0, found.start() - _LONGEST_DECORATION), found.start()) + 1
        near = line > 0 or found.start() <= _LONGEST_DECORATION
        begins_line = near and not text[line : found.start()].strip(_DECORATION)
        if kind == "indent" and not begins_line:
            continue
        before = _visible_before(text, line if begins_line else found.start())
        yield Marker(
            level=_level(found, kind),
            label=normal_label(found[f"{kind}_label"] or "") if kind != "indent" else "",
            start=line if begins_line else found.start(),
            end=found.end(),
            begins_line=begins_line,
            stopped=kind in ("article", "paragraph") and found[f"{kind}_stop"] is not None,
            before=before,
            after_blank_line=begins_line and _BLANK_LINE.search(text[max(0, line - 40) : line]) is not None,
        )


def _level(found: re.Match[str], kind: str) -> UnitLevel:
    if kind == "division":
        return _DIVISIONS[found["division_word"].replace(" ", "").upper()]
    return _LEVELS[kind]


def _visible_before(text: str, position: int) -> str:
    window = text[max(0, position - _LOOK_BACK) : position].rstrip(_TRAILING)
    while _NOISE.fullmatch(line := window[window.rfind("\n") + 1 :]):
        window = window[: len(window) - len(line)].rstrip(_TRAILING)
    return window[-_SEEN:]
