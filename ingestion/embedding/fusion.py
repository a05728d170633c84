"""How the ranking of an embedder that compares meanings is first joined with the lexical one."""

from collections.abc import Mapping

# `similarity_middle` is the cosine taken for an even chance of relevance; models differ: `calibrate` replaces it.
BY_MEANING: Mapping[str, str | float] = {
    "method": "rrf",
    "dense_weight": 0.6,
    "min_similarity": 0.0,
    "similarity_middle": 0.6,
    "reranker": "none",
}
