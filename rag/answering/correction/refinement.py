"""A question that found little, worded anew by rules: what it is about, and what its best passages talk of."""

from collections import Counter
from collections.abc import Sequence

from rank_bm25 import BM25Plus

from ingestion.text.analyser import analyser
from rag.types import Passage, QuestionAnalysis
from rag.understanding.meaning.variants import Variant

ORIGIN = "refinement"
_READ = 3  # passages that lend words
_LENT = 4  # words


def refined(question: str, analysis: QuestionAnalysis, passages: Sequence[Passage]) -> list[Variant]:
    """At most two wordings, none of them the question: its keywords alone, and those with words of its best passages.

    The latter is pseudo-relevance feedback (Lavrenko and Croft 2001): words frequent in the best passages and rare in
    the others that were found.
    """
    topic = " ".join(dict.fromkeys((*analysis.entities, *analysis.keywords))) or question
    lent = _telling_words(question, passages)
    wordings = [topic, f"{topic} {' '.join(lent)}"] if lent else [topic]
    known = {question.casefold()}
    return [Variant(text=text, origin=ORIGIN) for text in wordings if text.casefold() not in known]


def _telling_words(question: str, passages: Sequence[Passage]) -> list[str]:
    """Forms, as they stand in the passages, so that they can be shown to the reader."""
    if not passages:
        return []
    asked = {token.lemma for token in analyser().tokens(question)}
    documents: list[list[str]] = []
    forms: dict[str, str] = {}
    for passage in passages:
        tokens = analyser().content_tokens(passage.text)
        documents.append([token.lemma for token in tokens])
        forms |= {token.lemma: token.form for token in tokens}
    idf = BM25Plus([words or [""] for words in documents]).idf
    weight: Counter[str] = Counter()
    for passage, words in zip(passages[:_READ], documents, strict=False):
        for lemma, count in Counter(words).items():
            if lemma not in asked and lemma.isalpha() and len(lemma) > 2:
                weight[lemma] += passage.relevance * count / len(words) * idf[lemma]
    return [forms[lemma] for lemma, _ in weight.most_common(_LENT)]
