"""Correctness against labels: the expected words, else as much as the answer shares with the expected one."""

from collections import Counter

from rag.evaluation.answers.wording import contains, content_lemmas, lemmas
from rag.evaluation.datasets.questions import LabelledQuestion

_SHORT = 12  # words; a shorter expected answer is a span that the right answer contains


def expected_points(question: LabelledQuestion) -> tuple[str, ...]:
    """What a right answer contains: the labelled words, else a short expected answer as a whole, else nothing."""
    if question.expected_answer_contains:
        return question.expected_answer_contains
    words = lemmas(question.expected_answer)
    return (question.expected_answer,) if 0 < len(words) <= _SHORT else ()


def correctness(question: LabelledQuestion, answer: str) -> float | None:
    """1 where the answer contains all expected points, else `token_f1` with the expected answer, else 0; in [0, 1].

    None: the question is not labelled with either.
    """
    points = expected_points(question)
    if points and all(contains(answer, point) for point in points):
        return 1.0
    if question.expected_answer:
        return token_f1(answer, question.expected_answer)
    return 0.0 if points else None


def token_f1(answer: str, expected: str) -> float:
    """Harmonic mean of precision and recall of content lemmas as a bag (Rajpurkar et al. 2016, SQuAD); in [0, 1]."""
    said, wanted = Counter(content_lemmas(answer)), Counter(content_lemmas(expected))
    common = (said & wanted).total()
    return 2 * common / (said.total() + wanted.total()) if common else 0.0


def exact_match(question: LabelledQuestion, answer: str) -> float | None:
    """1 where the answer is the expected one, inflection, punctuation and `[n]` aside, else 0. None: there is none."""
    if not question.expected_answer:
        return None
    return float(lemmas(answer) == lemmas(question.expected_answer))
