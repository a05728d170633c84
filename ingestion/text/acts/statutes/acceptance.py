"""Tells the beginning of a unit from a reference, a date or a footnote: by sequence and by what stands before."""

import re
from dataclasses import dataclass

from ingestion.text.acts.statutes.labels import UnitLevel, keys
from ingestion.text.acts.statutes.markers import MAX_TITLE, Marker

Chain = tuple[tuple[UnitLevel, str], ...]

_TOLERANCE = 3
"""Numbers that may be missing at the beginning of a line: repealed units, misread ones."""
_ARTICLE_TOLERANCE = 10
"""The same for "Art. 15." within a line: with a capital letter and a full stop it is hardly a reference."""

_SENTENCE_END = re.compile(r"(?:[.;:)\]”\"!?…]|\A)\Z")
_ITEM_END = re.compile(r"(?:[,;.:)\]”\"–—-]|\b(?:oraz|lub|albo|bądź|i|a także|a)|\A)\Z")
_REFERENCE = re.compile(r"\b(?:art|ust|pkt|lit|tiret|nr|poz|zał|rozdz)\.?\Z", re.I)
_INTRODUCES = re.compile(r"[:–—-]\Z")
_TITLE_OF_UNIT = re.compile(r"[\s*_]*(?:\[[^\]\n]{1,200}\]|\([^)\n]{1,200}\))?[\s*_]*\Z")
_BEGINS_CONTENT = re.compile(r"[\s*_]*(?:[A-ZĄĆĘŁŃÓŚŹŻ„\"(\[§]|\d{1,3}[a-z]?[.)]|[a-z]\)|\Z)")
_UNIT_FOLLOWS = re.compile(r"[\s*_]*(?:\n|\Z|§\s?1\.|1\.)")
_ARTICLE_AHEAD = re.compile(
    rf"[^\n]{{0,{MAX_TITLE}}}?\s(?:Art\.\s?\d|§\s?1\b|Rozdział\s|ROZDZIAŁ\s|Oddział\s|Dział\s|DZIAŁ\s|TYTUŁ\s|Tytuł\s)"
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A unit that begins at `start`, with the labels from the widest unit down to its own; none for a division."""

    start: int
    end: int
    level: UnitLevel
    chain: Chain


class ActReader:
    """The state of a reader who goes through an act once: which units are open, what may come next."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: dict[UnitLevel, str] = {}
        self.accepted: list[Accepted] = []

    def consider(self, marker: Marker) -> None:
        """Take `marker` for the beginning of a unit if it can be one here."""
        if _REFERENCE.search(marker.before):  # "o których mowa w lit. b)"
            return
        if marker.level is UnitLevel.INDENT:
            self._consider_dash(marker)
        elif self._fits(marker):
            self._accept(marker, marker.label)

    def _fits(self, marker: Marker) -> bool:
        match marker.level:
            case UnitLevel.ARTICLE:
                return self._is_article(marker)
            case UnitLevel.PARAGRAPH:
                return self._is_paragraph(marker)
            case UnitLevel.PASSAGE:
                return self._is_passage(marker)
            case UnitLevel.POINT | UnitLevel.LETTER:
                return self._is_item(marker)
            case _:
                return self._is_division(marker)

    def _is_division(self, marker: Marker) -> bool:
        if marker.level is UnitLevel.ANNEX:
            return marker.begins_line and (marker.after_blank_line or self._after_sentence(marker))
        if marker.begins_line:
            return marker.after_blank_line or self._after_sentence(marker) or self._after_heading(marker)
        ahead = _ARTICLE_AHEAD.match(self._text, marker.end) is not None
        return ahead and (self._after_sentence(marker) or self._after_heading(marker) or not self.accepted)

    def _is_article(self, marker: Marker) -> bool:
        if marker.begins_line and (marker.stopped or _UNIT_FOLLOWS.match(self._text, marker.end)):
            return marker.label != self._open.get(UnitLevel.ARTICLE)
        opens_text = marker.label == "1" and UnitLevel.ARTICLE not in self._open
        if marker.stopped or opens_text or _UNIT_FOLLOWS.match(self._text, marker.end):
            return self._follows(marker, tolerance=_ARTICLE_TOLERANCE if self._after_sentence(marker) else 1)
        return False

    def _is_paragraph(self, marker: Marker) -> bool:
        if not _BEGINS_CONTENT.match(self._text, marker.end):
            return False
        if marker.begins_line:
            follows = self._follows(marker, tolerance=_TOLERANCE) or self._begins_anew(marker)
            stands_out = marker.stopped or marker.after_blank_line or self._after_sentence(marker)
            return follows and (stands_out or _UNIT_FOLLOWS.match(self._text, marker.end) is not None)
        return marker.stopped and self._follows(marker, tolerance=1) and self._after_sentence(marker)

    def _is_passage(self, marker: Marker) -> bool:
        if not self._is_inside_unit():
            return False
        if not _BEGINS_CONTENT.match(self._text, marker.end):
            return False
        if UnitLevel.PASSAGE not in self._open:
            return self._starts_sequence(marker) and self._is_direct(marker)
        tolerance = _TOLERANCE if marker.begins_line else 1
        return self._follows(marker, tolerance=tolerance) and self._after_sentence(marker)

    def _is_item(self, marker: Marker) -> bool:
        """Points and letters: the first after a colon or its unit's own marker, others after the one before."""
        if not self._is_inside_unit():
            return False
        if self._starts_sequence(marker) and (_INTRODUCES.search(marker.before) or self._is_direct(marker)):
            return True
        if marker.level not in self._open:
            return False
        tolerance = _TOLERANCE if marker.begins_line else 1
        return self._follows(marker, tolerance=tolerance) and _ITEM_END.search(marker.before) is not None

    def _consider_dash(self, marker: Marker) -> None:
        """A dash at the beginning of a line: an indent after a colon, or what closes an enumeration."""
        deepest = max(self._open) if self._is_inside_unit() else UnitLevel.ANNEX
        if deepest is UnitLevel.INDENT and _ITEM_END.search(marker.before):
            self._accept(marker, str(int(self._open[UnitLevel.INDENT]) + 1))
        elif deepest >= UnitLevel.ARTICLE and marker.before.endswith(":"):
            self._accept(marker, "1")
        elif (
            deepest in (UnitLevel.POINT, UnitLevel.LETTER) and self._text[marker.end : marker.end + 2].strip().islower()
        ):
            del self._open[deepest]
            self._record(marker, deepest)

    def _is_inside_unit(self) -> bool:
        return bool(self.accepted) and self.accepted[-1].level >= UnitLevel.ARTICLE

    def _starts_sequence(self, marker: Marker) -> bool:
        first, _ = keys(marker.label)
        return first.number == 1 and not first.superscript

    def _begins_anew(self, marker: Marker) -> bool:
        """§ 1 of a text that stands after another one in the same file."""
        return marker.stopped and marker.label == "1" and UnitLevel.ARTICLE not in self._open

    def _follows(self, marker: Marker, *, tolerance: int) -> bool:
        """Whether the label comes after its open sibling, at most `tolerance` numbers later; the first is 1."""
        first, _ = keys(marker.label)
        sibling = self._open.get(marker.level)
        if sibling is None:
            return first.number <= tolerance
        _, last = keys(sibling)
        if first.number == last.number and marker.begins_line:  # "§ 2^2" and then "§ 2a" happens
            return first != last
        return first > last and first.number - last.number <= tolerance

    def _after_sentence(self, marker: Marker) -> bool:
        return _SENTENCE_END.search(marker.before) is not None or self._is_direct(marker)

    def _after_heading(self, marker: Marker) -> bool:
        last = self.accepted[-1] if self.accepted else None
        return last is None or (last.level < UnitLevel.ARTICLE and marker.start - last.end <= MAX_TITLE)

    def _is_direct(self, marker: Marker) -> bool:
        """Whether nothing but a title in brackets stands between this and the marker before."""
        if not self.accepted or marker.start - self.accepted[-1].end > MAX_TITLE:
            return False
        last = self.accepted[-1]
        if last.level < UnitLevel.ARTICLE:
            return True
        return _TITLE_OF_UNIT.match(self._text[last.end : marker.start]) is not None

    def _accept(self, marker: Marker, label: str) -> None:
        if marker.level is UnitLevel.ANNEX:
            self._open = {}
        elif marker.level < UnitLevel.ARTICLE:  # the numbers of articles go on across divisions
            self._open = dict(list(self._open.items())[:1])
        else:
            self._open = {level: one for level, one in self._open.items() if level < marker.level}
            self._open[marker.level] = label
        self._record(marker, marker.level)

    def _record(self, marker: Marker, level: UnitLevel) -> None:
        chain = () if level < UnitLevel.ARTICLE else tuple(self._open.items())
        self.accepted.append(Accepted(start=marker.start, end=marker.end, level=level, chain=chain))
