"""Whether two sentences of different documents contradict each other: the one judgement, of answers and of the board.

They speak of one thing, with different values or persons, or one denies what the other says. A false alarm costs more
trust than a missed difference, so whatever may make them two things keeps us silent: another subject (`subjects`), a
condition, a tier, an example, another time, a bound on another side.
"""

import re

from ingestion.text.names.mention import Named
from rag.answering.verification.names import is_person, keys_of
from rag.answering.verification.polarity import POLAR, Clause, conflict
from rag.answering.verification.sentence import Sentence
from rag.answering.verification.subjects import SentenceInContext, is_step, same_subject, speaks_of_the_past
from rag.types import Contradiction, ProblemKind, Statement
from rag.understanding.facts.fact import Fact, rivals

_LEAST_SHARED = 2
COMPARED = ("hours", "months", "working_days", "clock", "PLN", "EUR", "USD", "%", "count", "date")
_SCOPES = ("date", "provision", "identifier")
"""What else a sentence states narrows the value that is compared: of which year, by which article."""
_UNCOMPARED = re.compile(
    r"^\s*(?:\||#{1,6}\s|```)|\?\s*$|:\s*$|\b(?:np\.|na przykład|przykładowo|for example)", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:jeżeli|jeśli|gdy|o ile|chyba że|w przypadku|w razie|w zależności|zależnie od|odpowiednio|z wyjątkiem|"
    r"oprócz|poza|powyżej|poniżej|ponad|zatrudnion\w+|pozostał\w+|dodatkow\w+|tylko|wyłącznie|dotychczas\w*|"
    r"poprzedni\w*|wcześniejsz\w+|dawniej|if|unless|except|above|below)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"\b(?:rozdzia\w+|dzia[lł]\w*|częś\w+|księg\w+|tytu\w+|tom\w*|tabel\w+|załącznik\w*|nr|numer\w*|wersj\w+|"
    r"poz\.|str\.|s\.|etap\w*|krok\w*|wariant\w*|poziom\w*|klas\w+|grup\w+|typ\w*|kategori\w+)[ \u00a0]*$",
    re.IGNORECASE,
)
"""Before a number that is a name: "Rozdział 10", "wersja 4.1"."""
_LOWER = re.compile(
    r"\b(?:co najmniej|najmniej|przynajmniej|minimum|min\.|od|at least"
    r"|nie (?:krócej|mniej|wcześniej|niższ\w+) niż)\s*$",
    re.I,
)
_UPPER = re.compile(
    r"\b(?:do|najwyżej|najpóźniej|maksymalnie|maks\.|nie (?:dłużej|więcej|później|wyższ\w+) niż|w ciągu|w terminie|"
    r"within|at most|up to)"
    r"(?:\s+(?:w terminie|w ciągu|do|niż))?\s*$",
    re.I,
)


_LISTED = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+")
_EDGES = " ,;:.–—-"
_OFFICES = frozenset(
    "dyrektor kierownik naczelnik burmistrz wójt prezydent starosta prezes sekretarz skarbnik przewodniczący rektor "
    "dziekan prorektor prodziekan inspektor koordynator administrator pełnomocnik komendant ordynator kanclerz "
    "minister wojewoda marszałek opiekun redaktor księgowy rzecznik zastępca sołtys archiwista bibliotekarz".split()
)
"""What one person is at a time."""


def is_compared(text: str) -> bool:
    """Whether a sentence of this text states something: no heading, row of a table, question or example does."""
    return not _UNCOMPARED.search(text)


def contradiction_of(first: SentenceInContext, second: SentenceInContext) -> Contradiction | None:
    """What they differ on; None where they agree, or may be of two things."""
    if not first.sentence.lemmas & second.sentence.lemmas:
        return None
    if found := _by_value(first, second) or _by_denial(first, second):
        return found if _comparable(first, second) else None
    return _by_person(first, second)


def _by_value(first: SentenceInContext, second: SentenceInContext) -> Contradiction | None:
    for ours in first.sentence.facts:
        for theirs in second.sentence.facts:
            alone = _alone(ours, first.sentence) and _alone(theirs, second.sentence)
            if not (alone and _differ(ours, theirs) and _one_scope(first, second, ours, theirs)):
                continue
            if _side(first.sentence, ours) * _side(second.sentence, theirs) >= 0:
                values = (_with_bound(first.sentence, ours), _with_bound(second.sentence, theirs))
                return _contradiction(ours.kind, first, second, values)
    return None


def _differ(ours: Fact, theirs: Fact) -> bool:
    if ours.dimension not in COMPARED or not rivals(ours, theirs):
        return False
    if ours.dimension == "date":  # a year alone says when something was so
        return ours.value[1:] != (None, None) and all(
            (a is None) == (b is None) for a, b in zip(ours.value, theirs.value, strict=True)
        )
    return ours.dimension != "count" or bool(ours.unit and ours.unit == theirs.unit)


def _alone(fact: Fact, sentence: Sentence) -> bool:
    """Several values of one dimension are tiers, or a list; which belongs to what, only a reader knows."""
    labelled = _LABELLED.search(sentence.text[: fact.start])
    return not labelled and sum(other.dimension == fact.dimension for other in sentence.facts) == 1


def _one_scope(first: SentenceInContext, second: SentenceInContext, ours: Fact, theirs: Fact) -> bool:
    """Whether what the sentences state beside the values that are compared is the same."""
    rest = [fact for fact in first.sentence.facts if fact is not ours]
    others = [fact for fact in second.sentence.facts if fact is not theirs]
    scopes = [{fact.value for fact in facts if fact.dimension in _SCOPES} for facts in (rest, others)]
    return scopes[0] == scopes[1] and not (
        ours.dimension == "date" and any(rivals(one, other) for one in rest for other in others)
    )


def _side(sentence: Sentence, fact: Fact) -> int:
    """-1: a least value, 1: a greatest, 0: the value itself."""
    before = sentence.text[: fact.start]
    return -1 if _LOWER.search(before) else int(bool(_UPPER.search(before)))


def _with_bound(sentence: Sentence, fact: Fact) -> str:
    before = sentence.text[: fact.start]
    bound = _LOWER.search(before) or _UPPER.search(before)
    return f"{bound.group().strip()} {fact.written}" if bound else fact.written


def _by_denial(first: SentenceInContext, second: SentenceInContext) -> Contradiction | None:
    for ours in first.sentence.clauses:
        for theirs in second.sentence.clauses:
            if _is_plain(ours) and _is_plain(theirs) and conflict(ours, theirs) and _one_matter(ours, theirs):
                return _contradiction("negation", first, second, (ours.text, theirs.text))
    return None


def _by_person(first: SentenceInContext, second: SentenceInContext) -> Contradiction | None:
    """Another person in one office: each sentence names one, and says nothing else that differs."""
    ours, theirs = _holder(first.sentence), _holder(second.sentence)
    if not (ours and theirs) or keys_of([ours]) & keys_of([theirs]):
        return None
    values = [{fact.value for fact in said.sentence.facts} for said in (first, second)]
    persons = keys_of([ours, theirs])
    if values[0] != values[1] or not _comparable(first, second, besides=persons):
        return None
    return _contradiction("name", first, second, (ours.name, theirs.name))


def _holder(sentence: Sentence) -> Named | None:
    persons = [name for name in sentence.names if is_person(name)]
    office = sentence.lemmas & _OFFICES and not speaks_of_the_past(sentence)
    return persons[0] if office and len(persons) == 1 else None


def _is_plain(clause: Clause) -> bool:
    """Whether it says outright that something is so or is not: no condition, nothing both affirmed and denied."""
    return not (_CONDITION.match(clause.text) or clause.affirmed & clause.denied)


def _one_matter(ours: Clause, theirs: Clause) -> bool:
    shared = ours.lemmas & theirs.lemmas
    return len(shared) >= _LEAST_SHARED and len((ours.lemmas ^ theirs.lemmas) - POLAR) <= 1


def _comparable(first: SentenceInContext, second: SentenceInContext, *, besides: frozenset[str] = frozenset()) -> bool:
    """Whether both speak of one thing, under no condition that only one has."""
    conditional = [bool(_CONDITION.search(said.sentence.text)) for said in (first, second)]
    steps = is_step(first.sentence) or is_step(second.sentence)
    return not steps and conditional[0] == conditional[1] and same_subject(first, second, besides=besides)


def _contradiction(
    kind: ProblemKind, first: SentenceInContext, second: SentenceInContext, values: tuple[str, str]
) -> Contradiction:
    return Contradiction(
        kind=kind,
        subject="" if kind == "negation" else _subject(first.sentence.text, values[0]),
        first=_statement(first, values[0]),
        second=_statement(second, values[1]),
    )


def _subject(text: str, value: str) -> str:
    """What the value is of: the words before it, or those behind it where it comes first."""
    before, _, after = _LISTED.sub("", text).partition(value)
    return max(before.strip(_EDGES), after.strip(_EDGES) if len(before.split()) < _LEAST_SHARED else "", key=len)


def _statement(said: SentenceInContext, value: str) -> Statement:
    passage = said.passage
    return Statement(
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        title=passage.title,
        quote=said.sentence.text,
        value=_LISTED.sub("", value),
    )
