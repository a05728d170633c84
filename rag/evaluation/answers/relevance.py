"""Answer relevance without a model: how much of the question the answer speaks of."""

from collections.abc import Mapping

from rag.evaluation.answers.wording import content_lemmas


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
