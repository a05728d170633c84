"""What any answer should be: of some length, in the reader's language, to the point, cited, true to its sources."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from rag.answering.claims import MARKER
from rag.answering.verification.overlap import kinship
from rag.answering.verification.sentence import Sentence
from rag.types import CheckedClaim, Citation, ResponseCheck
from rag.understanding.expected import expected
from rag.understanding.language import question_language

SHORTEST, LONGEST = 50, 4000  # characters
_ABOUT = 0.2  # of the question's words that an answer to it repeats


def check_response(
    *,
    question: Sentence,
    answer: Sentence,
    citations: Sequence[Citation],
    claims: Sequence[CheckedClaim],
    language: str,
) -> tuple[ResponseCheck, ...]:
    """All five, in the order of the type; `reason` is "" where a check was passed."""
    return (
        _length(question.text, MARKER.sub("", answer.text).strip()),
        _language(answer.text, language),
        _relevance(question, answer, citations),
        _citations(citations, claims),
        _facts(claims),
    )


def _length(question: str, answer: str) -> ResponseCheck:
    least = 1 if expected(question).few_words else SHORTEST
    reason = ""
    if len(answer) < least:
        reason = _("The answer is shorter than %(least)d characters.") % {"least": least}
    elif len(answer) > LONGEST:
        reason = _("The answer is longer than %(most)d characters.") % {"most": LONGEST}
    return ResponseCheck(name="length", passed=not reason, reason=reason)


def _language(answer: str, language: str) -> ResponseCheck:
    passed = question_language(answer, language) == language
    reason = "" if passed else _("The answer is not in the language of the question.")
    return ResponseCheck(name="language", passed=passed, reason=reason)


def _relevance(question: Sentence, answer: Sentence, citations: Sequence[Citation]) -> ResponseCheck:
    """By the words of the answer and of what it quotes, or because it gives the kind of thing asked for."""
    quoted = frozenset[str]().union(*(Sentence(c.quote).lemmas for c in citations))
    words = question.topic
    shared = sum(kinship(word, answer.lemmas | quoted) for word in words)
    asked = expected(question.text)
    given = asked.wanted is not None and asked.has_answer(answer.text)
    passed = not words or shared >= _ABOUT * len(words) or given
    reason = "" if passed else _("The answer shares hardly a word with the question.")
    return ResponseCheck(name="relevance", passed=passed, reason=reason)


def _citations(citations: Sequence[Citation], claims: Sequence[CheckedClaim]) -> ResponseCheck:
    uncited = sum(claim.verdict == "uncited" for claim in claims)
    reason = ""
    if not citations:
        reason = _("The answer cites no source.")
    elif uncited:
        reason = _("Statements without a source: %(number)d.") % {"number": uncited}
    return ResponseCheck(name="citations", passed=not reason, reason=reason)


def _facts(claims: Sequence[CheckedClaim]) -> ResponseCheck:
    wrong = [claim for claim in claims if claim.verdict in ("contradicted", "not_covered")]
    reason = _("Statements that their sources do not bear out: %(number)d.") % {"number": len(wrong)} if wrong else ""
    return ResponseCheck(name="facts", passed=not wrong, reason=reason)
