"""Other acts that a text says are over: "traci moc zarządzenie nr 5/2020 z dnia …", "uchyla się uchwałę nr …"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from ingestion.text.acts.entry import written_day
from ingestion.text.acts.quotations import without_quotations
from ingestion.text.acts.references import ActReference, act_references
from ingestion.text.acts.validity import clause_end, last_day_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedEnd:
    """Characters [start, end) say that `act` ends: `last` is its last day, None where it ends as this text begins."""

    act: ActReference
    last: date | None
    start: int
    end: int


def stated_ends(text: str) -> Iterator[StatedEnd]:
    """The other acts that `text` says are over as a whole, in order; one that it ends in part is left out."""
    if not re.search(r"moc[,:\s]|uchyla", text, re.IGNORECASE):
        return
    bare = without_quotations(text)
    for verb in _ENDS_OTHERS.finditer(bare):
        end = clause_end(bare, verb.end())
        lead = _sentence_start(bare, verb.start())
        said = bare[lead:end]
        if _IN_PART.search(said):
            continue
        known, last = _last_day(bare[lead : verb.start()], bare[verb.end() : end])
        if not known:
            continue
        before = [act for act in act_references(bare[lead : verb.start()]) if act.start == 0]
        behind = act_references(bare[verb.start() : end])
        for act in (*before, *(act for act in behind if _is_named_alone(bare, verb.start() + act.start))):
            yield StatedEnd(act=act, last=last, start=lead, end=end)


_ENDS_OTHERS = re.compile(r"\b(?:trac[ią]\s+moc(?:\s+obowiązującą)?|uchyla\s+się)[\s,:]", re.IGNORECASE)
_IN_PART = re.compile(
    r"\bart\.|§\s*\d[^.]{0,40}\s(?:ustawy|rozporządzenia|zarządzenia|uchwały)"
    r"|\b(?:w\s+zakresie|w\s+części|z\s+wyjątkiem|załącznik|pkt\s|ust\.|przepisy)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:trac[ią]\s+moc(?:\s+obowiązującą)?|uchyla\s+się|\d{1,3}\)|[a-z]\)|[-–—]|\boraz|\bi|,|;|dnia\s[\w\s.]{4,30}?)"
    r"[\s:,]*$",
    re.IGNORECASE,
)


def _is_named_alone(text: str, start: int) -> bool:
    """Whether the act is what ends, and not a mention in the name of one ("zarządzenie zmieniające zarządzenie…")."""
    return bool(_NAMED.search(text[max(0, start - 60) : start]))


def _last_day(before: str, behind: str) -> tuple[bool, date | None]:
    """Whether it is known when an act ends, and its last day; None: as the text begins to hold."""
    for words in (before, behind):
        if "dniem" in words or "dnia" in before:
            found = re.search(r"(?i:(z\s+dniem|z\s+upływem\s+dnia))\s+(?=\d)", words)
            if found and (day := written_day(words, found.end())):
                return True, day if "upływem" in found[1] else last_day_of(day)
            if _WITH_ENTRY.search(words):
                return True, None
            if re.search(r"z\s+dniem", words, re.IGNORECASE):
                return False, None
    return True, None


_WITH_ENTRY = re.compile(
    r"z\s+dniem\s+wejścia\s+w\s+życie\s+(?:niniejsze\w+\s+)?(?:ustawy|zarządzenia|uchwały|rozporządzenia)"
    r"(?!,|\s+(?:o|w\s+sprawie|z|nr)\s)",
    re.IGNORECASE,
)


_STARTS = re.compile(r"(?:Art\.|§)\s?\d+[a-z]*\.?\s+(?:\d+\.\s)?|(?<=[.;])(?<!\sr\.)\s+(?=[A-ZŁŚŻ])|\n\s*\n|^\d+\.\s")


def _sentence_start(text: str, place: int) -> int:
    before = text[max(0, place - 200) : place]
    starts = list(_STARTS.finditer(before))
    return place - len(before) + (starts[-1].end() if starts else len(before))
