"""Whether the passages that a claim cites bear it out: its words, facts and names, and what it affirms or denies."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ingestion.text.names.mention import Named
from rag.answering.claims import MARKER
from rag.answering.verification import elsewhere
from rag.answering.verification.foreign import PREFERRED, check_foreign, is_foreign
from rag.answering.verification.names import keys_of, replaced_by, stands_in
from rag.answering.verification.overlap import CitedSource, SentenceWindow, nearest
from rag.answering.verification.polarity import Clause, conflict
from rag.answering.verification.sentence import Sentence
from rag.answering.verification.sums import sums_up
from rag.answering.verification.verbatim import is_verbatim
from rag.types import CheckedClaim, Problem, Verdict
from rag.understanding.facts.fact import Fact, agreeing, rival

COVERED = 0.6
"""The share of a claim's words that its source must have; chosen on half 1 of the tests' claims.jsonl."""
SAME_MATTER = 0.5
"""From this share on, another value in the source speaks of the same thing and contradicts."""
SAME_CLAUSE = 0.6
_DECORATION = re.compile(r"^\s*(?:[-*•–—>]\s+|#{1,6}\s)+|\*\*|__|`")


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowSupport:
    """What one window says of a claim. `support` in [0, 1]."""

    window: SentenceWindow
    verdict: Verdict
    support: float
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A claim with its verdict, and the numbers of the citations whose passage bears it out."""

    claim: CheckedClaim
    borne_out: frozenset[int] = frozenset()


def check_claim(
    claim: str, sources: Sequence[tuple[int, CitedSource]], *, question: str = "", language: str = PREFERRED
) -> Checked:
    """Whether `sources`, at least one, by the number under which the claim cites them, bear it out, by rules alone.

    `language` is that of the claim. A value or name that `question` brought up needs no source, unless that has
    another.
    """
    text = _DECORATION.sub("", MARKER.sub("", claim)).strip()
    told = frozenset(number for number, source in sources if is_verbatim(text, source) or sums_up(text, source))
    if told:
        numbers = tuple(number for number, _ in sources)
        return Checked(claim=CheckedClaim(text=claim, citations=numbers, support=1.0), borne_out=told)
    if is_foreign(language, (source for _, source in sources)):
        foreign, agreeing_with = check_foreign(claim, text, sources, question=question, language=language)
        return Checked(claim=foreign, borne_out=agreeing_with)
    plain, given = Sentence(text), Sentence(question)
    findings = {number: _judged(plain, nearest(plain, source), [source], given) for number, source in sources}
    borne_out = {number for number, finding in findings.items() if finding.verdict == "supported"}
    whole = max(findings.values(), key=_merit)
    if not borne_out and len(findings) > 1:
        window = _together(finding.window for finding in findings.values())
        joint = _judged(plain, window, [source for _, source in sources], given)
        borne_out = {n for n, f in findings.items() if joint.verdict == "supported" and f.support > 0.3}
        whole = max(whole, joint, key=_merit)
    checked = CheckedClaim(
        text=claim,
        citations=tuple(number for number, _ in sources),
        verdict=whole.verdict,
        support=whole.support,
        problems=whole.problems,
    )
    return Checked(claim=checked, borne_out=frozenset(borne_out))


def _judged(claim: Sentence, window: SentenceWindow, sources: Sequence[CitedSource], given: Sentence) -> WindowSupport:
    shares = window.shares(claim)
    covered = sum(shares.values()) / len(shares) if shares else 1.0
    facts = [*_fact_problems(claim, window, sources, given), *_name_problems(claim, window, sources, given)]
    denials = list(_negation_problems(claim, window))
    problems = tuple(facts + denials)
    verdict: Verdict = "supported"
    if covered >= SAME_MATTER and any(problem.found for problem in problems):
        verdict = "contradicted"
    elif covered < COVERED or problems:
        verdict = "not_covered"
    if covered < COVERED and not facts:
        missing = [word for word, share in shares.items() if not share]
        problems = (*problems, Problem(kind="words", said=" ".join(_as_written(claim, missing))))
    stated = len(claim.facts) + len(claim.names)
    support = (covered * max(1, len(shares)) + stated - len(facts)) / max(1, len(shares) + stated)
    return WindowSupport(
        window=window, verdict=verdict, support=max(0.0, support - bool(denials) * 0.5), problems=problems
    )


def _merit(finding: WindowSupport) -> tuple[bool, bool, float]:
    """A source that supports outweighs one that is silent; one that contradicts outweighs one that knows less."""
    return finding.verdict == "supported", finding.verdict == "contradicted", finding.support


def _together(windows: Iterable[SentenceWindow]) -> SentenceWindow:
    all_windows = list(windows)
    return SentenceWindow(
        tuple(sentence for window in all_windows for sentence in window.sentences),
        tuple(heading for window in all_windows for heading in window.headings),
    )


def _fact_problems(
    claim: Sentence, window: SentenceWindow, sources: Sequence[CitedSource], given: Sentence
) -> Iterator[Problem]:
    known = [*window.facts, *(fact for heading in window.headings for fact in heading.facts)]
    for fact in claim.facts:
        if agreeing(fact, known) or _is_rate(fact, claim) or elsewhere.states(fact, claim, sources):
            continue
        besides = [other for other in claim.facts if other is not fact]
        found = rival(fact, window.facts, besides=besides)
        if found is None and agreeing(fact, given.facts):
            continue
        yield Problem(kind=fact.kind, said=fact.written, found=found.written if found else "")


def _is_rate(fact: Fact, claim: Sentence) -> bool:
    """Whether it is the "na godzinę" of "180 na godzinę", which tables put into a heading."""
    before = claim.text[: fact.start].rstrip().lower()
    return before.endswith(" na") and not any(map(str.isdigit, fact.written))


def _name_problems(
    claim: Sentence, window: SentenceWindow, sources: Sequence[CitedSource], given: Sentence
) -> Iterator[Problem]:
    if not claim.names:
        return
    sentences = [*window.sentences, *window.headings]
    known = [name for sentence in sentences for name in sentence.names]
    keys, lemmas = keys_of(known), frozenset[str]().union(*(sentence.lemmas for sentence in sentences))
    text = " ".join(sentence.text for sentence in sentences)
    there = [name for name in claim.names if stands_in(name, keys, lemmas, text)]
    near = [name for sentence in window.sentences for name in sentence.names]
    for name in claim.names:
        if name in there or elsewhere.names(name, claim, sources):
            continue
        instead = replaced_by(name, near, besides=there)
        if instead is None and _is_brought(name, sources, given):
            continue
        yield Problem(kind="name", said=name.name, found=instead.name if instead else "")


def _is_brought(name: Named, sources: Sequence[CitedSource], given: Sentence) -> bool:
    """Whether the question says the name, or the passage does somewhere: one of several words means one thing."""
    several = " " in name.name
    texts = [given, *(sentence for source in sources if several for sentence in (source.heading, *source.sentences))]
    return any(stands_in(name, keys_of(text.names), text.lemmas, text.text) for text in texts)


def _negation_problems(claim: Sentence, window: SentenceWindow) -> Iterator[Problem]:
    clauses = [clause for sentence in window.sentences for clause in sentence.clauses]
    for said in claim.clauses:
        near = [clause for clause in clauses if _same_clause(said, clause)]
        if near and all(conflict(said, clause) for clause in near) and not _is_met(near[0], claim):
            yield Problem(kind="negation", said=said.text, found=near[0].text)


def _is_met(found: Clause, claim: Sentence) -> bool:
    """Whether another clause of the claim says what `found` does: "not ordered by you: it is ordered automatically"."""
    return any(_same_clause(found, said) and not conflict(said, found) for said in claim.clauses)


def _same_clause(said: Clause, found: Clause) -> bool:
    shared = said.lemmas & found.lemmas
    return len(shared) >= SAME_CLAUSE * max(1, len(said.lemmas)) and bool(shared)


def _as_written(claim: Sentence, lemmas: Sequence[str]) -> list[str]:
    wanted = set(lemmas)
    return [claim.text[token.start : token.end] for token in claim.tokens if token.lemma in wanted]
