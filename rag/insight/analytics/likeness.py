"""How alike questions are, by the words that their topics are made of."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ingestion.text.analyser import analyser
from rag.search.retrieval.lexical import corpus_statistics

ALIKE = 0.5
"""Of an average cosine: two questions that share one of two equally rare words are not alike yet."""

_ROUNDING = 1e-9
_RARITY = """
SELECT t.text, sum(s.lemma_chunks) FROM ingestion_termstatistics s JOIN ingestion_term t ON t.id = s.term_id
WHERE t.text = ANY(%s) AND s.collection_id = ANY(%s) GROUP BY t.text
"""


def weighed(texts: Sequence[str], collections: Sequence[int]) -> tuple[list[str], NDArray[np.float64]]:
    """The lemmas of all texts, and a row of weights for each text, with no row of zeros.

    A weight is the lemma's idf in the knowledge base. So what the documents never speak of, which is the gap, decides,
    and "zamówić" or "pracownik", which they are full of, do not bring questions together. A lemma of a single wording
    says nothing about what several have in common and weighs half.
    """
    contents = [content(text) for text in texts]
    wordings = Counter(lemma for lemmas in contents for lemma in lemmas)
    lemmas = sorted(wordings)
    statistics = corpus_statistics(collections)
    with connection.cursor() as cursor:
        cursor.execute(_RARITY, [lemmas, list(collections)])
        chunks = dict(cursor.fetchall())
    weight = {
        lemma: statistics.idf(int(chunks.get(lemma, 0))) * (1.0 if wordings[lemma] > 1 else 0.5) for lemma in lemmas
    }
    return lemmas, np.array([[weight[lemma] if lemma in own else 0.0 for lemma in lemmas] for own in contents])


def directions(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of length 1, whose products are cosines."""
    lengths: NDArray[np.float64] = np.linalg.norm(weights, axis=1, keepdims=True)
    return weights / lengths


def groups(rows: NDArray[np.float64]) -> list[list[int]]:
    """Numbers of the rows (directions) that are about one thing."""
    return clusters(rows @ rows.T, least=ALIKE)


def clusters(similarity: NDArray[np.float64], *, least: float) -> list[list[int]]:
    """Rows of `similarity` (n × n, symmetric) in groups; two groups whose members are on average more alike than
    `least` become one, the most alike first (average linkage, UPGMA: Sokal and Michener 1958).
    """
    if len(similarity) < 2:
        return [[row] for row in range(len(similarity))]
    from scipy.cluster.hierarchy import fcluster, linkage  # 40 MB, which only those who look for gaps need
    from scipy.spatial.distance import squareform

    tree = linkage(squareform((1 - similarity).clip(min=0), checks=False), "average")
    together: dict[int, list[int]] = {}
    for row, group in enumerate(fcluster(tree, 1 - least - _ROUNDING, "distance")):
        together.setdefault(int(group), []).append(row)
    return list(together.values())


def content(text: str) -> set[str]:
    """Lemmas of the words that carry a topic, which years and numbers do not; where there is none, of all words."""
    tokens = analyser().tokens(text)
    telling = {token.lemma for token in tokens if token.form.isalpha() and not analyser().is_stop_word(token)}
    return telling or {token.lemma for token in tokens} or {text}
