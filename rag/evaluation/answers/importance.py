"""How much each word of a question tells, by the term statistics of the knowledge base."""

from collections.abc import Mapping, Sequence

from rag.evaluation.answers.wording import content_lemmas
from rag.search.query.vocabulary import Vocabulary
from rag.search.retrieval.lexical import corpus_statistics


class Importance:
    """The idf of lemmas in the given collections, as retrieval weighs them."""

    def __init__(self, collection_ids: Sequence[int]) -> None:
        self._vocabulary = Vocabulary(collection_ids)
        self._statistics = corpus_statistics(collection_ids)

    def of(self, question: str) -> Mapping[str, float]:
        """By lemma, in nats, of all content lemmas of the question; one that occurs nowhere weighs most."""
        wanted = set(content_lemmas(question))
        known = self._vocabulary.terms(wanted)
        return {lemma: self._statistics.idf(known[lemma].lemma_chunks if lemma in known else 0) for lemma in wanted}
