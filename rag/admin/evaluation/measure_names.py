"""Names of measures and stages, for people."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rag.evaluation.answers import JUDGE

STAGES: dict[str, Promise] = {
    "analysis": _("analysis of the question"),
    "lexical": _("search by words"),
    "dense": _("search by meaning"),
    "graph": _("search by names"),
    "transformation": _("other wordings"),
    "multi_query": _("other wordings"),
    "hyde": _("imagined answer"),
    "decomposition": _("partial questions"),
    "loading": _("reading of passages"),
    "deduplication": _("removal of repetitions"),
    "reranking": _("reranking"),
    "boosts": _("boosts"),
    "typed_words": _("words as typed first"),
    "relevance": _("relevance"),
    "explanation": _("explanations"),
    "neighbours": _("neighbouring chunks"),
    "retrieval": _("search"),
    "synthesis": _("writing of the answer"),
    "verification": _("verification"),
    "total": _("in all"),
}

_JUDGED = {
    "relevance": _("Model's grade: to the point"),
    "correctness": _("Model's grade: correctness"),
    "completeness": _("Model's grade: completeness"),
    "coherence": _("Model's grade: coherence"),
    "faithfulness": _("Model's grade: faithful to the sources"),
}
MEASURES: dict[str, Promise] = {
    "without_lexical_hit": _("Questions without a hit by words"),
    "documents_in_top_3": _("The right document among the first 3"),
    "answers_with_expected_words": _("The answer has the expected words"),
    "answers_without_refusal": _("No wrong refusal"),
    "right_refusals": _("Right refusal"),
    "correctness": _("Correctness"),
    "completeness": _("Completeness"),
    "exact_match": _("Exactly as expected"),
    "relevance": _("To the point"),
    "coherence": _("Coherence"),
    "citation_precision": _("Precision of citations"),
    "citation_recall": _("Coverage by citations"),
    "without_hallucination": _("Claims without inventions"),
    **{f"{JUDGE}{name}": words for name, words in _JUDGED.items()},
}


def in_words(names: Mapping[str, Promise], name: str) -> str:
    """The name itself where it has no words, as nDCG@10."""
    return str(names.get(name, name))
