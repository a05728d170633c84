"""Whether the citations are the right ones, and whether every claim has one.

By labels where the question names documents, else by the support that verification found (Gao et al. 2023, ALCE:
"Enabling Large Language Models to Generate Text with Citations").
"""

from rag.evaluation.datasets.questions import LabelledQuestion
from rag.types import Answer


def citation_precision(question: LabelledQuestion, answer: Answer) -> float | None:
    """Share of the citations that point into an expected document, else of those that bear out their claim; in [0, 1].

    None: nothing is cited, or there is neither a label nor a verified claim.
    """
    if not answer.citations:
        return None
    if question.expected_documents:
        right = sum(citation.uri in question.expected_documents for citation in answer.citations)
        return right / len(answer.citations)
    return answer.verification.citation_precision if answer.verification.claims else None


def citation_recall(question: LabelledQuestion, answer: Answer) -> float | None:
    """1 where an expected document is cited (any of them will do), else 0; without labels the share of claims that are
    cited and supported; in [0, 1]. None: there is neither a label nor a verified claim.
    """
    if question.expected_documents:
        return float(any(citation.uri in question.expected_documents for citation in answer.citations))
    claims = answer.verification.claims
    return (
        sum(bool(claim.citations) and claim.verdict == "supported" for claim in claims) / len(claims)
        if claims
        else None
    )
