"""What a document says of when it holds.

Only whole days are read, and only of what the text says plainly: where two sentences of equal standing say different
days, or a day is counted from one that is not known, nothing is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ingestion.text.acts.entry import ActDays, entry_day, written_day
from ingestion.text.acts.quotations import without_quotations
from ingestion.text.acts.references import ActReference, act_of, act_references
from ingestion.text.calendar import find_written_dates


class _Sentence:
    """A pattern of sentences, whatever their case, that is only tried where its `verb` stands: by itself it would be
    tried at every character of a text, which takes five times as long.
    """

    _BEFORE, _AFTER = 250, 80  # characters of a sentence on either side of where its verb begins

    def __init__(self, pattern: str, *, verb: str) -> None:
        self.pattern = re.compile(pattern, re.IGNORECASE)
        # Without IGNORECASE, with which each character would be looked up.
        self._verb = re.compile(
            "|".join(f"[{one[0].upper()}{one[0]}]{one[1:]}|{one.upper()}" for one in verb.split("|"))
        )

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        end = 0
        for verb in self._verb.finditer(text):
            place = verb.start()
            if place >= end and (
                found := self.pattern.search(text, max(end, place - self._BEFORE), place + self._AFTER)
            ):
                yield found
                end = found.end()


_ASKED_FIRST = re.compile(r"w\s+życie|moc[,:\s]|obowiązuj|obowiązywa|ważn[aeyi]|uchyla", re.IGNORECASE)
_ACTS = "ustawa|rozporządzenie|zarządzenie|uchwała|dekret|obwieszczenie"
_PAPERS = (
    "regulamin|instrukcja|polityka|procedura|umowa|porozumienie|statut|decyzja|cennik|taryfa|program|plan|zasady|stawki|"
    "harmonogram|dokument|aneks|opłaty|wytyczne|oferta|postanowienie|komunikat|standardy?|zakładowy układ|rozkład"
)
_SUBJECT = (
    rf"(?:[Nn]iniejsz[aeyi]\s+)?(?P<noun>{_ACTS}|{_PAPERS})\b"
    # A stop within a number or after "r": looked at once, so that hostile text is not tried in all its divisions.
    r"(?P<between>(?:[^.,;:§„”\"()\n]|\.(?=\w|(?<=\br\.))){0,90}?)"
)
_GAP = r"(?=\s)[^\S\n]*\n?[^\S\n]*"
_BEGINS = (
    r"(?:^|(?<=\n)|(?<=\()|(?<=[.;:)]\s)|(?<=[.;:)]\s\s)|(?<=[-–—*#]\s)|(?<=\*\*)|(?<=\d\.)"
    r"|(?<=§\s\d\s)|(?<=§\s\d\d\s)|(?<=Art\.\s\d\s)|(?<=Art\.\s\d\d\s))"
)
_ENTERS = _Sentence(rf"{_BEGINS}{_SUBJECT}\s+(?:wchodz[ią]|wejdzie)\s+w\s+życie\b", verb="wchodz|wejdzi")
_HOLDER = (
    rf"(?:(?:[Nn]iniejsz[aeyi]\s+)?(?P<noun>{_ACTS}|{_PAPERS}|wersja)\b(?P<between>[^,;:§„”\"()\n]{{0,60}}?),?{_GAP})?"
)
_HOLDS = _Sentence(
    rf"{_BEGINS}{_HOLDER}(?P<not>nie\s+)?(?:obowiązuj[eą]|obowiązywał[aoy]?)(?:\s+w\s+okresie)?[\s:]+(?=od[\s:]|do[\s:])",
    verb="obowiązuj|obowiązywa",
)
_HELD = _Sentence(
    rf"{_BEGINS}(?P<noun>dokument|wersja|tekst)\b(?P<between>[^.;:§„”\"()\n]{{0,30}}?),?\s+obowiązując[aey][\s:]+(?=od\s|do\s)",
    verb="obowiązując",
)
_IS_VALID = _Sentence(
    rf"{_BEGINS}{_HOLDER}(?:(?:jest|są)\s+)?(?:ważn[aeyi]|data\s+ważności|termin\s+ważności)\s*:?\s+(?=od\s|do\s)",
    verb="ważn",
)
_ENDS = _Sentence(
    rf"{_BEGINS}{_SUBJECT}\s+(?:(?:trac[ią]|[us]tracił[aoy]?)\s+moc(?:\s+obowiązującą)?|przestał[aoy]?\s+obowiązywać)\b",
    verb="trac|przesta",
)
_AND_HOLDS = re.compile(r"\bi\s+obowiązuj[eą]\s+(?:(?=do\s)|(?=od\s))")
_UNTIL = re.compile(r"\s*(?:(?:[-–—]|,|r\.|roku|\boraz|\bi)\s*)*(?:do\s+(?:dnia\s+)?)(?=\d)")
_SINCE = re.compile(r"od:?\s+(?:dnia\s+)?(?=\d)")
_TO = re.compile(r"do:?\s+(?:dnia\s+)?(?=\d)")
_YEAR_WORD = re.compile(r"\s*r(?:\.|oku)?")
_WITH_DAY = re.compile(r"\s*(?:z\s+(?:dniem|upływem\s+dnia)|od\s+dnia)\s+(?=\d)")
_CLAUSE_ENDS = re.compile(
    r"(?<=\.)\s*(?:\n\s*\n|$|_{4}|-{4}|\[\d+\]|\{|\\?\*|(?:Art\.|§)\s?\d+|Prezydent|Marszałek|MARSZAŁEK|Załącznik|ZAŁĄCZNIK|"
    r"\d{1,2}[.)]\s+[A-ZŁŚŻ]|[A-ZŁŚŻ][a-ząćęłńóśźż]{3,})|\n\s*\n"
)
_LONGEST_CLAUSE = 1200
_PUBLISHED = (
    re.compile(
        r"(?:dziennik\s+(?:ustaw|urzędowy)|monitor\s+polski)[\s\S]{0,200}?,?\s*dnia\s+(?P<day>\d)(?=[\s\S]{0,40}poz\.)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:ustawa|uchwała|rozporządzenie|zarządzenie)\s+(?:została|zostało)?\s*(?:ogłoszon|opublikowan)\w+\s+"
        r"(?:w\s+)?dni[ua]\s+(?P<day>\d)",
        re.IGNORECASE,
    ),
)
_HEAD = 1500
_KINDS = frozenset(_ACTS.split("|"))


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedDay:
    """Characters [start, end) of a text say that something holds from, or to, `day`, that included."""

    day: date
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterEntry:
    """`units` ("§ 3 i 4") come into force on another day than the rest, as characters [start, end) say."""

    units: str
    day: date
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValidity:
    """From when to when a document holds by its own words, and its units that come into force apart."""

    first: StatedDay | None = None
    last: StatedDay | None = None
    later: Sequence[LaterEntry] = ()


def stated_validity(text: str, *, title: str = "") -> StatedValidity:
    """What `text`, which is called `title`, says of itself. What it quotes or says of other acts is left out."""
    if not _ASKED_FIRST.search(text):
        return StatedValidity()
    bare = without_quotations(text)
    act = act_of(title, text)
    days = ActDays(signing=_signing(act), publication=_publication(text))
    entries = [found for found in _ENTERS.finditer(bare) if _is_own(found, act)]
    entries = list(filter(_names_an_act, entries)) or entries
    lasts = [stated for found in entries if (stated := _until_after_entry(bare, found))]
    ends = (found for found in _ENDS.finditer(bare) if _is_own(found, act) and (not act or _names_an_act(found)))
    lasts += [stated for found in ends if (stated := _ended(bare, found))]
    periods = [_period(bare, found) for found in _in_periods(bare, act)]
    first = _entry(bare, entries, days) if entries else _only([one for one, _ in periods if one])
    last = _only(lasts) or _only([one for _, one in periods if one])
    if first and last and last.day < first.day:
        first = last = None
    return StatedValidity(first=first, last=last, later=list(_later(bare, entries, days)))


def _names_an_act(found: re.Match[str]) -> bool:
    """An act that says "regulamin traci moc" ends another paper."""
    return found["noun"].lower() in _KINDS


def _entry(text: str, entries: Sequence[re.Match[str]], days: ActDays) -> StatedDay | None:
    """Where all sentences of entry say one day, that."""
    ends = [clause_end(text, found.end()) for found in entries]
    said = {entry_day(text[found.end() : end], days) for found, end in zip(entries, ends, strict=True)}
    day = said.pop() if len(said) == 1 else None
    return StatedDay(day=day, start=entries[0].start(), end=ends[0]) if day else None


def last_day_of(day: date) -> date:
    """What ends "z dniem 1 stycznia" no longer holds on that day; "z dniem 31 grudnia" names the last one."""
    return day if (day + timedelta(days=1)).day == 1 else day - timedelta(days=1)


def clause_end(text: str, start: int) -> int:
    """Where the sentence that goes on at `start` ends: at what cannot belong to it."""
    found = _CLAUSE_ENDS.search(text, start, min(len(text), start + _LONGEST_CLAUSE))
    return found.start() if found else min(len(text), start + _LONGEST_CLAUSE)


def _is_own(found: re.Match[str], act: ActReference | None) -> bool:
    """Whether a sentence is about the document itself: it begins with a capital, and its act is of the same kind and
    day.
    """
    if not re.match(r"[A-ZŁŚŻ]", found.group().strip()):
        return False
    noun, between = found["noun"].lower(), found["between"]
    if act and noun in _KINDS and not act.key.startswith(noun):
        return False
    other = next(iter(act_references(f"{noun} {between} ")), None)
    if other:
        return act is not None and other.key.split(" ")[1] == act.key.split(" ")[1]
    return not re.search(r"\bz\s+dnia\b|\bktór|\br\.", between)


def _signing(act: ActReference | None) -> date | None:
    """The day of an act is that of its signature; of a statute, that of the vote."""
    if act is None or act.key.startswith("ustawa"):
        return None
    return date.fromisoformat(act.key.split(" ")[1])


def _publication(text: str) -> date | None:
    for pattern in _PUBLISHED:
        if found := pattern.search(text[:_HEAD]):
            return written_day(text, found.start("day"))
    return None


def _until_after_entry(text: str, entry: re.Match[str]) -> StatedDay | None:
    """ "wchodzi w życie z dniem podpisania i obowiązuje do dnia 31 grudnia 2025 r." """
    end = clause_end(text, entry.end())
    holds = _AND_HOLDS.search(text, entry.end(), end)
    found = holds and re.compile(r"\bdo\s+(?:dnia\s+)?(?=\d)").search(text, holds.start(), end)
    day = written_day(text, found.end()) if found else None
    return StatedDay(day=day, start=entry.start(), end=end) if day else None


def _ended(text: str, found: re.Match[str]) -> StatedDay | None:
    end = clause_end(text, found.end())
    when = _WITH_DAY.match(text, found.end())
    day = written_day(text, when.end()) if when else None
    if when is None or day is None:
        return None
    return StatedDay(day=day if "upływem" in when.group() else last_day_of(day), start=found.start(), end=end)


def _in_periods(text: str, act: ActReference | None) -> Iterator[re.Match[str]]:
    """Sentences such as "Cennik obowiązuje od 1 maja 2025 r."; one without a subject, or without a verb, "wersja 2,
    obowiązująca od 1 maja", counts at the head alone.
    """
    yield from _HELD.finditer(text[:_HEAD])
    for pattern in (_HOLDS, _IS_VALID):
        for found in pattern.finditer(text):
            if found["noun"] is None:
                if found.start() < _HEAD and (found.group().lstrip()[:1].isupper() or _in_the_heading(text, found)):
                    yield found
            elif _is_own(found, act):
                yield found


def _in_the_heading(text: str, found: re.Match[str]) -> bool:
    """Whether it stands in brackets on the first line: "Cennik (obowiązywał do 30 czerwca 2025 r.)"."""
    before = text[: found.start()].lstrip()
    return before.endswith("(") and "\n" not in before


def _period(text: str, found: re.Match[str]) -> tuple[StatedDay | None, StatedDay | None]:
    """The first and the last day; of what "nie obowiązuje od 1 marca" the last is the day before."""
    end = clause_end(text, found.end())
    since, place = _SINCE.match(text, found.end()), found.end()
    first = last = None
    if since:
        dates = [one for one in find_written_dates(text[since.end() : end]) if one.start == 0]
        if not dates or dates[0].whole is None:
            return None, None
        first = StatedDay(day=dates[0].whole, start=found.start(), end=end)
        if found.groupdict().get("not"):
            return None, replace(first, day=first.day - timedelta(days=1))
        place = since.end() + dates[0].end
        year = _YEAR_WORD.match(text, place)
        place = year.end() if year else place
    until = (_UNTIL if since else _TO).match(text, place)
    if until and (day := written_day(text, until.end())):
        last = StatedDay(day=day, start=found.start(), end=end)
    return first, last


def _only(stated: Sequence[StatedDay]) -> StatedDay | None:
    """The day that all say; None where they differ."""
    return stated[0] if stated and len({one.day for one in stated}) == 1 else None


_EXCEPTION = re.compile(
    r"(?P<units>(?:art\.|§|ust\.|pkt|rozdział\w*|dział\w*|załącznik\w*)[^;:]{0,160}?),?\s+"
    r"któr\w+\s+wchodz\w+\s+w\s+życie\s+",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(r"\b(?:ustawy|ustaw|rozporządzenia|w\s+zakresie|w\s+brzmieniu)\b", re.IGNORECASE)
"""Units of the acts that are changed, and parts of units, are not taken for units of the act."""


def _later(text: str, entries: Sequence[re.Match[str]], days: ActDays) -> Iterator[LaterEntry]:
    """ "z wyjątkiem § 3, który wchodzi w życie z dniem 1 lipca 2025 r.", one or a list of them."""
    for entry in entries:
        end = clause_end(text, entry.end())
        but = re.compile(r"z\s+wyjątkiem|z\s+tym,?\s+że").search(text, entry.end(), end)
        for found in _EXCEPTION.finditer(text, but.end(), end) if but else ():
            own = re.split(r";|,\s*(?:oraz\s+art|\d+\))", text[found.end() : end], maxsplit=1)[0]
            if not _OF_OTHERS.search(found["units"]) and (day := entry_day(own, days)):
                yield LaterEntry(units=" ".join(found["units"].split()), day=day, start=entry.start(), end=end)
