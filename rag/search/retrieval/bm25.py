"""What a word tells, by how few texts have it."""

import math


def inverse_document_frequency(having: int, texts: int) -> float:
    """BM25's idf of a word that `having` of `texts` texts have, in nats, above zero.

    ln(1 + (N - df + 0.5) / (df + 0.5)): Lucene's variant (Robertson and Zaragoza 2009; Kamphuis et al. 2020).
    """
    return math.log(1 + (texts - having + 0.5) / (having + 0.5))
