"""All measures that one answer can be given without a model."""

from collections.abc import Mapping

from rag.evaluation.answers.coherence import coherence
from rag.evaluation.answers.correctness import correctness, exact_match, expected_points
from rag.evaluation.answers.hallucination import hallucination_rate
from rag.evaluation.answers.wording import contains, content_lemmas
from rag.evaluation.datasets.questions import LabelledQuestion, is_expected
from rag.types import Answer


def answer_relevance(question: str, answer: str, idf: Mapping[str, float]) -> float | None:
    """Share of the question's content lemmas, weighed by `idf`, that stand in the answer; in [0, 1].

    sum of idf over (Q and A) / sum of idf over Q: the weighted word count of Yih et al. 2013 ("Question Answering Using
    Enhanced Lexical Semantic Models"), normalised. A lemma that `idf` lacks weighs as much as the heaviest one. None:
    the question has only function words. Says nothing of truth, and underrates an answer that does not repeat the
    question.
    """
    wanted = set(content_lemmas(question))
    if not wanted:
        return None
    heaviest = max(idf.values(), default=1.0)
    weights = {lemma: idf.get(lemma, heaviest) for lemma in wanted}
    said = set(content_lemmas(answer))
    return sum(weight for lemma, weight in weights.items() if lemma in said) / (sum(weights.values()) or 1.0)


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


def citation_precision(question: LabelledQuestion, answer: Answer) -> float | None:
    """Share of the citations that point into an expected document, else of those that bear out their claim; in [0, 1].

    None: nothing is cited, or there is neither a label nor a verified claim.
    """
    if not answer.citations:
        return None
    if question.expected_documents:
        right = sum(is_expected(citation.uri, question.expected_documents) for citation in answer.citations)
        return right / len(answer.citations)
    return answer.verification.citation_precision if answer.verification.claims else None


def citation_recall(question: LabelledQuestion, answer: Answer) -> float | None:
    """1 where an expected document is cited (any of them will do), else 0; without labels the share of claims that are
    cited and supported; in [0, 1]. None: there is neither a label nor a verified claim.
    """
    if question.expected_documents:
        return float(any(is_expected(citation.uri, question.expected_documents) for citation in answer.citations))
    claims = answer.verification.claims
    return (
        sum(bool(claim.citations) and claim.verdict == "supported" for claim in claims) / len(claims)
        if claims
        else None
    )


REFUSED = "not_found"


def measured(question: LabelledQuestion, answer: Answer, idf: Mapping[str, float]) -> dict[str, float]:
    """By name, each in [0, 1], more is better; what the labels or the answer do not let tell is left out.

    `idf` weighs the lemmas of the question. A refusal is incorrect and incomplete where the question has an answer; of
    its text nothing else is measured. Nothing is, where the question has none: refusals are counted by themselves.
    """
    if not question.answerable:
        return {}
    refused = answer.outcome == REFUSED
    text = "" if refused else answer.text
    values = {
        "correctness": correctness(question, text),
        "completeness": completeness(question, text),
        "exact_match": exact_match(question, text),
    }
    if not refused:
        invented = hallucination_rate(answer)
        values |= {
            "relevance": answer_relevance(question.question, answer.text, idf),
            "coherence": coherence(answer),
            "citation_precision": citation_precision(question, answer),
            "citation_recall": citation_recall(question, answer),
            "without_hallucination": None if invented is None else 1 - invented,
        }
    return {name: value for name, value in values.items() if value is not None}
