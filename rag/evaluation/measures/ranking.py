"""Measures of a ranking of documents, computed by ir-measures (MacAvaney et al. 2022) over trec_eval.

nDCG@k: sum of grade / log2(rank + 1) over the first k, over that of the best ranking possible (Järvelin, Kekäläinen
2002). MRR@k: 1 / rank of the first document that answers, 0 past k. Recall@k: share of the documents that answer which
stand among the first k. Precision@k: share of the first k that answer.
"""

from collections.abc import Mapping, Sequence

import ir_measures
from ir_measures import RR, P, R, nDCG

MEASURES = {
    "nDCG@10": nDCG @ 10,
    "MRR@10": RR @ 10,
    "Recall@5": R @ 5,
    "Recall@20": R @ 20,
    "Precision@5": P @ 5,
}

Scores = dict[str, dict[str, float]]
"""{question: {measure: score in [0, 1]}}."""


def score_rankings(qrels: Mapping[str, Mapping[str, int]], rankings: Mapping[str, Sequence[str]]) -> Scores:
    """Scores of each question that `qrels` has a document for; one without a ranking scores 0.

    `qrels`: {question: {document: grade}}; `rankings`: {question: documents, best first, each once}.
    """
    judged = {query: dict(documents) for query, documents in qrels.items() if any(g > 0 for g in documents.values())}
    scores = {query: dict.fromkeys(MEASURES, 0.0) for query in judged}
    # trec_eval sorts by score and breaks ties by name: the rank itself is the only safe score.
    run = {query: {document: float(-rank) for rank, document in enumerate(rankings.get(query, ()))} for query in judged}
    names = {measure: name for name, measure in MEASURES.items()}
    for metric in ir_measures.iter_calc(list(names), judged, {query: found for query, found in run.items() if found}):
        scores[metric.query_id][names[metric.measure]] = float(metric.value)
    return scores


def means(scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The mean of each measure over the questions that have it."""
    values: dict[str, list[float]] = {}
    for question in scores.values():
        for measure, score in question.items():
            values.setdefault(measure, []).append(score)
    return {measure: sum(given) / len(given) for measure, given in values.items()}
