"""What a question asks for, read once, and where a text has it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, dropwhile, islice

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.stop_words import FOLDED_STOP_WORDS
from ingestion.text.names.name_words import name_words
from ingestion.types import Token
from rag.understanding.expected.agents import find_agents, find_persons, stems_of
from rag.understanding.expected.contacts import (
    find_accounts,
    find_codes,
    find_documents,
    find_emails,
    find_pages,
    find_phones,
    find_places,
    find_rooms,
)
from rag.understanding.expected.given_values import values_given
from rag.understanding.expected.kinds import THINGS, Kind
from rag.understanding.expected.recognition import recognise
from rag.understanding.expected.values import (
    find_amounts,
    find_days,
    find_days_of_month,
    find_durations,
    find_hours,
    find_measured,
    find_numbers,
    find_percentages,
    find_times,
)
from rag.understanding.facts.fact import Fact
from rag.understanding.facts.intervals import find_intervals, value_for
from rag.understanding.facts.quantities import MeasureUnit, unit_of

_BEFORE_A_NOUN = frozenset(
    "ile ilu iloma jaki jaka jakie jakim jakich jakiej ktory ktora ktore ktorym ktorej ktorego numer nr many".split()
)
_RULED = 0.5  # what a rule for the value given adds, and one for other values takes away
_COMMON = frozenset(("hours", "working_days", "clock", "count"))  # most texts have limits of these
_FOR_THE_REST = re.compile(r"\b(?:krótsz|dłuższ|mniejsz|większ|niższ|wyższ|pozostał|inn[ye]|przeciwn)", re.IGNORECASE)
_SHORTEST_NOUN = 3  # letters
_AT_MOST = frozenset(("max", "maks", "maksymalnie", "maksimum", "min", "minimum", "minimalnie"))
_BEING = frozenset("jest sa bylo bedzie mam mamy macie ma maja mozna moge".split())
_COUNTS = re.compile(r"\b(?:il[eu]|iloma|how many)\b", re.IGNORECASE)
_REACH = 4  # words between "ile" and what is counted: "ile mogę mieć w roku dni"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedAnswer:
    """What `question` asks for. `kinds`: outright, in its order; `hints`: what it merely speaks of.

    `noun`: the lemma of what is counted or asked for, "dzień" in "ile dni", "kod" in "jaki kod", "" for none; `unit`
    where that is one of measure. `given`: the values that choose a row or a rule, "20 tys. zł".
    """

    question: str
    kinds: tuple[Kind, ...]
    hints: tuple[Kind, ...] = ()
    noun: str = ""
    unit: MeasureUnit | None = None
    given: tuple[Fact, ...] = ()

    @property
    def wanted(self) -> Kind | None:
        """The first kind of thing asked for outright."""
        return next((kind for kind in self.kinds if kind in THINGS), None)

    @property
    def definition(self) -> bool:
        return "definition" in self.kinds

    @property
    def enumeration(self) -> bool:
        """Whether a list does best: of things, or of steps."""
        return "list" in self.kinds or "steps" in self.kinds or "document" in self.kinds

    @property
    def few_words(self) -> bool:
        """Whether "Tak." or "14 dni" is a whole answer."""
        return self.wanted is not None or "yes_or_no" in self.kinds

    def has_answer(self, text: str) -> bool:
        """Whether `text` has a thing asked for outright, which the question does not say itself; True for none."""
        return self.wanted is None or any(self._has(kind, text) for kind in self.kinds)

    def fits(self, text: str) -> float:
        """1 where `text` has what is asked or hinted at, -1 where it has none of it, 0 where no thing is asked for.

        Less where it states a rule for other values than the one given.
        """
        things = [kind for kind in (*self.kinds, *self.hints) if kind in THINGS]
        has = any(self._has(kind, text) for kind in things)
        kind = (1.0 if has else -1.0) if things else 0.0
        return max(-1.0, min(1.0, kind + _RULED * self.admits(text)))

    def admits(self, text: str) -> int:
        """1 where an interval of `text`, "co najmniej 10 lat", holds a value given, "12 lat"; -1 where none does.

        0 where nothing of the kind is said, and where `text` has another rule for the rest: "z krótszym stażem".
        """
        values = [given for given in self.given if given.dimension not in _COMMON]
        intervals = [one for one in find_intervals(text) if one.dimension not in _COMMON] if values else []
        pairs = [(one, value_for(one, given)) for one in intervals for given in values]
        inside = [one.holds(value) for one, value in pairs if value is not None]
        if not inside or (not any(inside) and _FOR_THE_REST.search(text)):
            return 0
        return 1 if any(inside) else -1

    def _has(self, kind: Kind, text: str) -> bool:
        said = self.question.lower()
        return any(text[start:end].lower() not in said for start, end in self._places(kind, text))

    def _places(self, kind: Kind, text: str) -> Iterator[tuple[int, int]]:
        if kind == "person":
            return find_persons(text, known=stems_of(self.question))
        if kind == "agent":
            return find_agents(text, known=stems_of(self.question))
        if kind == "day" and _DAY_OF_MONTH.search(fold(self.question)):
            return find_days_of_month(text)
        if self.unit and self.unit.dimension in _ASKED_IN.get(kind, ()):
            return find_measured(text, self.unit.dimension)
        if kind == "number":
            return find_numbers(text, counted="" if self.unit or not _COUNTS.search(self.question) else self.noun)
        if kind == "code" and _BY_ITS_NUMBER.search(self.question):
            return chain(find_codes(text), find_phones(text))
        if kind == "money" and _SIZE.search(self.question):
            return chain(find_amounts(text), find_percentages(text))
        return _FINDERS[kind](text) if kind in _FINDERS else iter(())


_DAY_OF_MONTH = re.compile(r"\bktor\w+ (?:dni\w+ |dzien )?(?:kazdego |danego )?miesiaca", re.IGNORECASE)
_BY_ITS_NUMBER = re.compile(r"\b(?:numer\w*|nr)\b", re.IGNORECASE)  # one to call, perhaps
_SIZE = re.compile(r"\bwynos|\bwysoko[sś]|\bstawk", re.IGNORECASE)  # what a supplement comes to may be a share, "5 %"
_ASKED_IN = {"money": ("EUR", "USD"), "number": ("metres", "grams", "bytes")}  # "ile euro" is not answered with złoty
_FINDERS = {
    "day": find_days,
    "date": find_times,
    "hour": find_hours,
    "duration": find_durations,
    "money": find_amounts,
    "percentage": find_percentages,
    "place": find_places,
    "room": find_rooms,
    "phone": find_phones,
    "email": find_emails,
    "account": find_accounts,
    "web": find_pages,
    "document": find_documents,
    "code": find_codes,
}


@lru_cache(maxsize=512)
def expected(question: str) -> ExpectedAnswer:
    """What `question` asks for; the same object for the same question."""
    recognised = recognise(question)
    token = _asked_noun(question)
    return ExpectedAnswer(
        question=question,
        kinds=recognised.kinds,
        hints=recognised.hints,
        noun=token.lemma if token else "",
        unit=unit_of(token) if token else None,
        given=values_given(question),
    )


def _asked_noun(question: str) -> Token | None:
    """A unit near the word that asks, "ile mogę mieć dni"; else the noun right after it, "ile kolorowych kartek"."""
    tokens = [token for token in analyser().tokens(question) if fold(token.form) not in _AT_MOST]
    for place, token in enumerate(tokens):
        if fold(token.form) in _BEFORE_A_NOUN:
            following = tokens[place + 1 : place + 1 + _REACH]
            unit = next((one for one in following if unit_of(one)), None)
            described = dropwhile(_only_joins, following)
            return unit or next((one for one in islice(described, 1) if _is_noun(one)), None)
    return None


def _only_joins(token: Token) -> bool:
    return fold(token.form) in _BEING or name_words().is_adjective(token.form)


def _is_noun(token: Token) -> bool:
    if len(token.form) < _SHORTEST_NOUN or fold(token.form) in FOLDED_STOP_WORDS or token.lemma.endswith("ć"):
        return False
    return name_words().is_noun(token.form)
