"""Which time a question asks about: what was in force then, as opposed to a date that only belongs to its subject.

"Ile wynosiła opłata w 2022 roku?" asks about the rule of 2022; "faktura z 5 marca 2024", "sprawozdanie za 2023 rok" and
"do 30 kwietnia" name things and terms of today. Rules decide by what stands before the date and by the verb.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Final

from ingestion.text.morphology.grammar import readings
from rag.understanding.facts.dates import find_dates
from rag.understanding.facts.fact import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTime:
    """The days from `first` to `last`; or, `former`, what was in force before the present rule. Characters [start, end)
    of the question say it.

    `sure`: nothing else can be meant. Otherwise it depends on what the documents say.
    """

    first: date | None = None
    last: date | None = None
    former: bool = False
    sure: bool = False
    start: int = 0
    end: int = 0

    def without(self, question: str) -> str:
        """The question without the words that name the time; as it is where no question would be left."""
        rest = question[: self.start].rstrip(" ,(") + " " + question[self.end :].lstrip(" ,)")
        rest = re.sub(r"\s+([?.!,])", r"\1", " ".join(rest.split()))
        return rest[:1].upper() + rest[1:] if len(re.findall(r"\w{2,}", rest)) >= _LEAST_WORDS else question


_LEAST_WORDS: Final = 3

_RULE_TODAY = re.compile(
    r"\b(?:wynos\w+|obowiązuj\w+|przysługuj\w+|kosztuj\w+|płaci\w*|pobiera\w*|można|trzeba|należy|wolno|jest|są)\b",
    re.IGNORECASE,
)
"""Of a past year people ask in the present tense too."""
_FUTURE = re.compile(r"\b(?:będzie|będą|będę|będziemy|wyniesie|wyniosą|zacznie|zaczną|wejdzie|wejdą)\b", re.IGNORECASE)
_IN_FORCE = re.compile(r"\bobowiązując\w*$|\bobowiązywa\w*$|\bobowiązuj[eą]$", re.IGNORECASE)
_EVENT = re.compile(r"\bile osób\b|\bilu mieszkańców (?:miał|było)\w*", re.IGNORECASE)
_STATE = re.compile(
    r"(?:(?:według|wedle|na|z)?\s*stan(?:u|ie)?\s+(?:prawn\w+\s+)?(?:na|z|w)|w\s+brzmieniu\s+(?:\w+\s+)?(?:na|z|w|od|do)"
    r"|(?:wersj\w+|brzmieni\w+)\s+(?:na|z|w))(?:\s+dni[au]|\s+dzień)?\s*$",
    re.IGNORECASE,
)
_ON_THE_DAY = re.compile(r"\b(?:na\s+dzień|w\s+dniu|dnia)\s*$", re.IGNORECASE)
_IN = re.compile(r"\b(?:w|we|in)(?:\s+(?:roku|ciągu|czasie|trakcie|połowie|całym|końcu))*\s*$", re.IGNORECASE)
_AT = re.compile(r"\b(?:na początku|pod koniec|z początkiem|z końcem|jeszcze w|już w)(?:\s+roku)?\s*$", re.IGNORECASE)
_BEFORE = re.compile(r"\bprzed\s*(?:dniem\s*)?$", re.IGNORECASE)
_SINCE = re.compile(r"\b(?:od|począwszy od|z)\s+(?:dnia\s+)?(?:początku\s+)?(?:roku\s+)?$", re.IGNORECASE)
_OF_A_THING = re.compile(
    r"\b(?:za|na|do|po|z|ze|między|pomiędzy|a|i|lub)\s+(?:dnia\s+|rok\s+|roku\s+)*$", re.IGNORECASE
)

_ACT = (
    r"(?:regulamin\w*|przepis\w*|zasad\w*|uchwał\w*|ustaw\w*|zarządzeni\w*|statut\w*|cennik\w*|taryf\w*|stawek|opłat\w*"
    r"|instrukcj\w*|procedur\w*|polityk\w*|regulacj\w*|prawa|prawie|kodeks\w*|reguł\w*|wytyczn\w*|program\w*|wersj\w*"
    r"|brzmieni\w*|harmonogram\w*|rozporządzeni\w*|tabel\w*|norm\w*|limit\w*)"
)
_OLD = r"(?:poprzedni|wcześniejsz|dawn|star|uprzedni|ubiegł|minion|nieobowiązując|nieaktualn)\w*"
_BEFORE_CHANGE = re.compile(
    rf"\bprzed\s+(?:ostatni\w+\s+|t\w+\s+)?(?:zmian\w+|podwyżk\w+|obniżk\w+|nowelizacj\w+|aktualizacj\w+|nowym\w*)(?:\s+(?:t\w{{2,3}}\s+)?{_ACT})?"
    rf"(?:\s+{_ACT})?",
    re.IGNORECASE,
)
_OLD_ACT = re.compile(
    rf"\b(?:(?:w|we|według|wedle|zgodnie z|na podstawie|wg)\s+{_OLD}\s+{_ACT}"
    rf"|(?:w|we|na)\s+{_OLD}\s+(?:api|interfejs\w*|system\w*)\b)",
    re.IGNORECASE,
)
_OLD_WORDING = re.compile(rf"\b{_OLD}\s+{_ACT}", re.IGNORECASE)
_LONG_AGO = re.compile(r"\b(?:dawniej|niegdyś|poprzednio|uprzednio)\b", re.IGNORECASE)
_EARLIER = re.compile(r"\b(?:kiedyś|wcześniej|przedtem|do tej pory)\b", re.IGNORECASE)


def asked_time(question: str, *, today: date) -> AskedTime | None:
    """None where the question asks about today, or names no time at all."""
    return _dated(question, today) or _said_in_words(question)


def compares_times(question: str, *, today: date) -> bool:
    """Whether it asks how something was and how it is: "ile kosztowało w 2023, a ile teraz", "o ile wzrosła", or of two
    versions, of which one may be over.
    """
    if _CHANGED.search(question) or len(set(_VERSION.findall(question))) > 1:
        return True
    dates = find_dates(question)
    if not (_NOW_TOO.search(question) or any(fact.value[0] == today.year for fact in dates)):
        return False
    times = (_time_of(fact, question, today) for fact in dates)
    return any(time.last < today for time in times if time and time.last) or _said_in_words(question) is not None


def other_years(question: str, *, today: date) -> set[str]:
    """The years that it names, without this one."""
    return set(_YEAR.findall(question)) - {str(today.year)}


def without_times(question: str) -> str:
    """What is asked of either time by a question that compares two: without the words that name them, and "ile wynosi"
    for "o ile wzrosła".
    """
    asked = _ROSE.sub("Ile wynosi", _ASKED_OF_TODAY.sub("", question))
    former = _said_in_words(question)
    return former.without(asked) if former and former.end <= len(asked) else asked


def _said_in_words(question: str) -> AskedTime | None:
    is_past = _speaks_of_past(question)
    if found := _BEFORE_CHANGE.search(question):
        names_act = bool(re.search(_ACT, found.group(), re.IGNORECASE))
        if is_past or (names_act and not _IS_PRESENT.search(question)):
            return AskedTime(former=True, sure=True, start=found.start(), end=found.end())
        return None
    if (found := _OLD_ACT.search(question)) or (found := _OLD_WORDING.search(question)):
        return AskedTime(former=True, sure=is_past, start=found.start(), end=_end_of_old(found, question))
    if is_past and (found := _LONG_AGO.search(question)):
        return AskedTime(former=True, sure=True, start=found.start(), end=found.end())
    if is_past and (found := _EARLIER.search(question)):
        return AskedTime(former=True, sure=False, start=found.start(), end=found.end())
    return None


_IS_PRESENT = re.compile(
    r"\b(?:trzeba|należy|muszę|musi|powinien|powinna|mogę|można|wolno|robić|zrobić)\b", re.IGNORECASE
)


def _end_of_old(found: re.Match[str], question: str) -> int:
    """Of "w poprzednim regulaminie" the noun is part of the subject: only what says "former" goes."""
    return found.start() + len(re.match(rf".*?{_OLD}", found.group(), re.IGNORECASE).group())  # type: ignore[union-attr]


def _speaks_of_past(question: str) -> bool:
    """Whether a verb says how things used to be ("obowiązywał", "płaciło się"): what once happened ("uchwalono",
    "urodziło się") is perfective, and no rule.
    """
    return any(
        reading.part in _PAST_FORMS and "imperf" in reading.tag
        for word in re.findall(r"[^\W\d_]{3,}", question)
        for reading in readings(word.lower())
    )


_PAST_FORMS = frozenset({"praet", "imps"})


def _dated(question: str, today: date) -> AskedTime | None:
    if _NOW_TOO.search(question):
        return None
    times = [time for fact in find_dates(question) if (time := _time_of(fact, question, today))]
    sure = [time for time in times if time.sure]
    if sure:
        return sure[0]
    return times[0] if len(times) == 1 else None


def _time_of(fact: Fact, question: str, today: date) -> AskedTime | None:
    before = question[: fact.start]
    year, month, day = (int(part) if part is not None else None for part in fact.value)
    is_past, is_future = _speaks_of_past(question), bool(_FUTURE.search(question))
    if year is None and (month is None or (day and not _SINCE.search(before) and not _ON_THE_DAY.search(before))):
        return None
    first, last = _span(year, month, day, today, later=is_future)
    if first is None or last is None or (year is None and not (is_past or is_future)):
        return None
    end = fact.end + len(re.match(r"(?:\s*(?:r\.|roku|rok)(?!\w))?", question[fact.end :]).group())  # type: ignore[union-attr]

    def asked(lead: re.Match[str], *, sure: bool, first: date = first, last: date = last) -> AskedTime:
        return AskedTime(first=first, last=last, sure=sure, start=lead.start(), end=end)

    if lead := _STATE.search(before):
        return asked(lead, sure=True)
    if _EVENT.search(question):
        return None
    if lead := _SINCE.search(before):
        if lead.group().strip().startswith("z") or (first <= today and not is_past):
            return None
        named = bool(_IN_FORCE.search(before[: lead.start()].rstrip()))
        return asked(lead, sure=named or first > today, last=first)
    if lead := _BEFORE.search(before):
        eve = date.fromordinal(first.toordinal() - 1)
        return asked(lead, sure=False, first=eve, last=eve) if is_past else None
    for pattern in (_ON_THE_DAY, _AT, _IN):
        if lead := pattern.search(before):
            named = bool(_IN_FORCE.search(before[: lead.start()].rstrip()))
            is_other = last < today or first > today
            speaks_of_rules = is_past or is_future or _RULE_TODAY.search(question) or _NO_VERB.search(question)
            return asked(lead, sure=named) if named or (is_other and speaks_of_rules) else None
    if _OF_A_THING.search(before) or not before.strip():
        return None
    bare = re.search(r"\s*$", before)
    assert bare is not None  # noqa: S101  it matches the empty end
    return asked(bare, sure=False) if is_past and last < today and (day or _ENDS.match(question[end:])) else None


_NOW_TOO = re.compile(r"\b(?:teraz|obecnie|dziś|dzisiaj|aktualnie|nadal|wciąż)\b", re.IGNORECASE)
"""Who names today beside another time compares, and wants both."""
_ASKED_OF_TODAY = re.compile(rf",?\s+(?:a|i|oraz|czy)\s+(?:\w+\s+){{0,5}}{_NOW_TOO.pattern}[^,?.]*", re.IGNORECASE)
_RISEN = (
    r"(?:(?:podroża|potania|zmala|spad|zmieni|obniży|zwiększy|zmniejszy|podni[oó]s|wzr[oó]s)ł\w*"
    r"|(?:zmieni|podniesi|obniż|zwiększ|zmniejsz)ono)\b"
)
_CHANGED = re.compile(
    rf"\bo ile\b[^?!.]{{0,60}}\b{_RISEN}|\b(?:co|jak\w*)\s+(?:się\s+)?zmieni(?:ł[aoy]?|li)\b", re.IGNORECASE
)
_ROSE = re.compile(rf"\bo ile\s+{_RISEN}", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d|\s?(?:zł|%|km|kg|m\b))")
_VERSION = re.compile(r"\b(?:wersj\w+|v)\s?\.?(\d+)\b", re.IGNORECASE)
_ENDS = re.compile(r"\W*$")
_NO_VERB = re.compile(r"^\W*(?:a|stawk\w+|opłat\w+|cennik|limit|zasady|wysokość|termin\w*)\b", re.IGNORECASE)


def _span(
    year: int | None, month: int | None, day: int | None, today: date, *, later: bool
) -> tuple[date | None, date | None]:
    """The days that a date covers. A month alone is the next one where the question looks ahead, else the last."""
    if year is None and month is not None:
        passed = (month, day or 1) <= (today.month, today.day)
        year = today.year + (1 if later and passed else 0 if later or passed else -1)
    if year is None or not 1900 <= year <= today.year + 20:
        return None, None
    try:
        first = date(year, month or 1, day or 1)
    except ValueError:
        return None, None
    if day:
        return first, first
    last_month = month or 12
    return first, date(year, last_month, monthrange(year, last_month)[1])
