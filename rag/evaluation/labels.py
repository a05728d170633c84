"""What stages, measures and options of a measurement are called, for people: the one table of commands and pages."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.selectors import sizes
from rag.evaluation.answers import JUDGE, TOP
from rag.evaluation.measures.latency import STAGES as ALL_STAGES
from rag.evaluation.measures.latency import TOTAL

STAGES: dict[str, Promise] = {
    "analysis": gettext_lazy("question analysis"),
    "lexical": gettext_lazy("search by words"),
    "dense": gettext_lazy("search by vectors"),
    "graph": gettext_lazy("search by names"),
    "transformation": gettext_lazy("other wordings"),
    "multi_query": gettext_lazy("other wordings"),
    "hyde": gettext_lazy("imagined answer"),
    "decomposition": gettext_lazy("partial questions"),
    "loading": gettext_lazy("reading of passages"),
    "extractors": gettext_lazy("second readings"),
    "deduplication": gettext_lazy("repetitions"),
    "reranking": gettext_lazy("reranking"),
    "boosts": gettext_lazy("boosts"),
    "typed_words": gettext_lazy("words as typed"),
    "breadth": gettext_lazy("groups of documents"),
    "relevance": gettext_lazy("relevance"),
    "explanation": gettext_lazy("explanations"),
    "neighbours": gettext_lazy("neighbouring chunks"),
    "retrieval": gettext_lazy("search"),
    ALL_STAGES: gettext_lazy("the search alone"),
    "synthesis": gettext_lazy("writing of the answer"),
    "verification": gettext_lazy("verification"),
    TOTAL: gettext_lazy("in all"),
}

SIZES: dict[str, Promise] = {
    sizes.TEXTS: gettext_lazy("texts and documents"),
    sizes.WORDS: gettext_lazy("index of words"),
    sizes.VECTORS: gettext_lazy("vectors"),
    sizes.NAMES: gettext_lazy("names in the texts"),
    sizes.LIKENESS: gettext_lazy("sketches of near-duplicates"),
    sizes.OTHERS: gettext_lazy("all the rest"),
}
"""What the database keeps."""

_JUDGED = {
    "relevance": gettext_lazy("Model's grade: to the point"),
    "correctness": gettext_lazy("Model's grade: correctness"),
    "completeness": gettext_lazy("Model's grade: completeness"),
    "coherence": gettext_lazy("Model's grade: coherence"),
    "faithfulness": gettext_lazy("Model's grade: faithful to the sources"),
}
MEASURES: dict[str, Promise] = {
    "without_lexical_hit": gettext_lazy("Questions without a hit by words"),
    f"documents_in_top_{TOP}": gettext_lazy("The right document among the first 3"),
    "answers_with_expected_words": gettext_lazy("The answer has the expected words"),
    "answers_without_refusal": gettext_lazy("No wrong refusal"),
    "right_refusals": gettext_lazy("Right refusal"),
    "correctness": gettext_lazy("Correctness"),
    "completeness": gettext_lazy("Completeness"),
    "exact_match": gettext_lazy("Exactly as expected"),
    "relevance": gettext_lazy("To the point"),
    "coherence": gettext_lazy("Coherence"),
    "citation_precision": gettext_lazy("Precision of citations"),
    "citation_recall": gettext_lazy("Coverage by citations"),
    "without_hallucination": gettext_lazy("Claims without inventions"),
    **{f"{JUDGE}{name}": words for name, words in _JUDGED.items()},
}

_OPTIONS: dict[str, Promise] = {
    "strip_diacritics": gettext_lazy("questions without Polish letters"),
    "typos": gettext_lazy("questions with a typing slip"),
    "judge": gettext_lazy("graded by a model"),
}


def label(names: Mapping[str, Promise], name: str) -> str:
    """The name itself where it has no words, as nDCG@10."""
    return str(names.get(name, name))


def option_words(options: Mapping[str, Any]) -> str:
    """The degradations and the sample among `options`, in words; empty for none."""
    words = [str(text) for name, text in _OPTIONS.items() if options.get(name)]
    if limit := options.get("limit"):
        words.append(_("a sample of %(n)d questions") % {"n": limit})
    return ", ".join(words)
