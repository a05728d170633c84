"""Completeness against labels: how much of what a right answer has is there."""

from rag.evaluation.answers.correctness import expected_points
from rag.evaluation.answers.wording import contains, content_lemmas
from rag.evaluation.datasets.questions import LabelledQuestion


def completeness(question: LabelledQuestion, answer: str) -> float | None:
    """Share of the expected points that the answer contains; in [0, 1].

    Of a long expected answer its content lemmas are the points, as in the nugget recall of TREC QA (Voorhees 2003).
    None: the question is not labelled with either.
    """
    points = expected_points(question)
    if points:
        return sum(contains(answer, point) for point in points) / len(points)
    wanted = set(content_lemmas(question.expected_answer))
    return len(wanted.intersection(content_lemmas(answer))) / len(wanted) if wanted else None
