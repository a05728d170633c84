"""Sources that differ: two sentences of different documents on one thing, with different values or one denying.

A false alarm costs more trust than a missed difference, so whatever may make them two things keeps us silent:
another name, another kind ("urlop macierzyński", "urlop rodzicielski"), a condition, a tier, an example, a bound on
another side.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rag.types import Contradiction, Passage, ProblemKind, Statement
from rag.verification.facts import Fact, rivals
from rag.verification.names import keys_of
from rag.verification.overlap import Source, kinship
from rag.verification.polarity import POLAR, Clause, conflict
from rag.verification.sentence import Sentence

MOST = 5
LEAST_SHARED = 2
LEAST_SHARE = 0.6
"""Of the words of the shorter sentence that the longer must have. Fitted on half of contradictions.jsonl."""
ABOUT_THE_QUESTION = 0.3
_COMPARED = ("hours", "months", "working_days", "clock", "PLN", "EUR", "USD", "%", "count", "date")
_UNCOMPARED = re.compile(
    r"^\s*(?:\||#{1,6}\s|```)|\?\s*$|:\s*$|\b(?:np\.|na przykład|przykładowo|for example)", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:jeżeli|jeśli|gdy|o ile|chyba że|w przypadku|w razie|z wyjątkiem|oprócz|poza|powyżej|poniżej|"
    r"ponad|zatrudnion\w+|pozostał\w+|dodatkow\w+|tylko|wyłącznie|if|unless|except|above|below)\b",
    re.IGNORECASE,
)
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
_NEUTRAL = frozenset(
    "nowy stary obecny obowiązujący dany każdy własny pisemny maksymalny minimalny kolejny "
    "następny miesięczny roczny".split()
)


@dataclass(frozen=True)
class _Said:
    passage: Passage
    source: Source
    sentence: Sentence


def find_contradictions(
    read: Sequence[tuple[Passage, Source]], *, question: Sentence | None = None
) -> tuple[Contradiction, ...]:
    """At most five, one for each two documents, in the order of the passages.

    With a `question`, only sentences that share words with it are compared.
    """
    wanted = question.lemmas if question else frozenset[str]()
    said = [one for passage, source in read for one in _sentences(passage, source, wanted)]
    found: dict[tuple[int, int], Contradiction] = {}
    for first, second in combinations(said, 2):
        if len(found) == MOST:
            break
        documents = (first.passage.document_id, second.passage.document_id)
        new = documents not in found and _apart(first.passage, second.passage)
        if new and (contradiction := _between(first, second)):
            found[documents] = contradiction
    return tuple(found.values())


def _apart(first: Passage, second: Passage) -> bool:
    return (first.document_id, first.uri) != (second.document_id, second.uri)


def _sentences(passage: Passage, source: Source, wanted: frozenset[str]) -> Iterator[_Said]:
    for sentence in source.sentences:
        if not _UNCOMPARED.search(sentence.text) and _concerns(wanted, sentence.lemmas | source.heading.lemmas):
            yield _Said(passage, source, sentence)


def _concerns(wanted: frozenset[str], lemmas: frozenset[str]) -> bool:
    return len(wanted & lemmas) >= ABOUT_THE_QUESTION * len(wanted)


def _between(first: _Said, second: _Said) -> Contradiction | None:
    return (_by_value(first, second) or _by_denial(first, second)) if _comparable(first, second) else None


def _by_value(first: _Said, second: _Said) -> Contradiction | None:
    for ours in first.sentence.facts:
        for theirs in second.sentence.facts:
            alone = _alone(ours, first.sentence) and _alone(theirs, second.sentence)
            if alone and _differ(ours, theirs) and _side(first.sentence, ours) * _side(second.sentence, theirs) >= 0:
                values = (_with_bound(first.sentence, ours), _with_bound(second.sentence, theirs))
                return _contradiction(ours.kind, first, second, values)
    return None


def _differ(ours: Fact, theirs: Fact) -> bool:
    if ours.dimension not in _COMPARED or not rivals(ours, theirs):
        return False
    if ours.dimension == "date":
        return all((a is None) == (b is None) for a, b in zip(ours.value, theirs.value, strict=True))
    return ours.dimension != "count" or bool(ours.unit and ours.unit == theirs.unit)


def _alone(fact: Fact, sentence: Sentence) -> bool:
    """Several values of one dimension are tiers, or a list; which belongs to what, only a reader knows."""
    return sum(other.dimension == fact.dimension for other in sentence.facts) == 1


def _side(sentence: Sentence, fact: Fact) -> int:
    """-1: a least value, 1: a greatest, 0: the value itself."""
    before = sentence.text[: fact.start]
    return -1 if _LOWER.search(before) else int(bool(_UPPER.search(before)))


def _with_bound(sentence: Sentence, fact: Fact) -> str:
    before = sentence.text[: fact.start]
    bound = _LOWER.search(before) or _UPPER.search(before)
    return f"{bound.group().strip()} {fact.written}" if bound else fact.written


def _by_denial(first: _Said, second: _Said) -> Contradiction | None:
    for ours in first.sentence.clauses:
        for theirs in second.sentence.clauses:
            if conflict(ours, theirs) and _one_matter(ours, theirs):
                return _contradiction("negation", first, second, (ours.text, theirs.text))
    return None


def _one_matter(ours: Clause, theirs: Clause) -> bool:
    shared = ours.lemmas & theirs.lemmas
    return len(shared) >= LEAST_SHARED and len((ours.lemmas ^ theirs.lemmas) - POLAR) <= 1


def _comparable(first: _Said, second: _Said) -> bool:
    """Whether both speak of one thing, as far as words tell."""
    if not first.sentence.lemmas & second.sentence.lemmas:
        return False
    ours, theirs = first.sentence.topic, second.sentence.topic
    shared, left, right = _shared(ours, theirs)
    if not shared or len(shared) < LEAST_SHARE * min(len(ours), len(theirs)):
        return False
    if len(shared) < LEAST_SHARED and not first.source.heading.lemmas & second.source.heading.lemmas - shared:
        return False
    left, right = left - POLAR, right - POLAR
    return not (_qualified(left | right) or (_things(left) and _things(right)) or _otherwise_different(first, second))


def _shared(ours: frozenset[str], theirs: frozenset[str]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The words of both, by family, and what is left on either side."""
    left = frozenset(word for word in ours if not kinship(word, theirs))
    right = frozenset(word for word in theirs if not kinship(word, ours))
    return ours - left, left, right


def _qualified(words: frozenset[str]) -> bool:
    """Whether an adjective may make one side a special case; adjectives are the lemmas in -y and -i."""
    return any(word.endswith(("y", "i")) and word not in _NEUTRAL for word in words)


def _things(words: frozenset[str]) -> bool:
    """Whether something but verbs is left over."""
    return any(not word.endswith("ć") for word in words)


def _otherwise_different(first: _Said, second: _Said) -> bool:
    if bool(_CONDITION.search(first.sentence.text)) != bool(_CONDITION.search(second.sentence.text)):
        return True
    ours, theirs = keys_of(first.sentence.names), keys_of(second.sentence.names)
    titles = [keys_of(said.source.heading.names) for said in (first, second)]
    return ours != theirs or bool(titles[0] and titles[1] and not titles[0] & titles[1])


def _contradiction(kind: ProblemKind, first: _Said, second: _Said, values: tuple[str, str]) -> Contradiction:
    shared = first.sentence.lemmas & second.sentence.lemmas
    words = [token for token in first.sentence.tokens if token.lemma in shared & first.sentence.topic]
    return Contradiction(
        kind=kind,
        subject=" ".join(dict.fromkeys(first.sentence.text[token.start : token.end] for token in words)),
        first=_statement(first, values[0]),
        second=_statement(second, values[1]),
    )


def _statement(said: _Said, value: str) -> Statement:
    passage = said.passage
    return Statement(
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        title=passage.title,
        quote=said.sentence.text,
        value=value,
    )
