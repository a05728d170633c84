"""Knowledge gaps: questions that the documents did not answer, those about the same thing together."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db import connection
from django.db.models import Q
from numpy.typing import NDArray

from ingestion.models.sources import Viewer
from ingestion.selectors import visible_collections
from ingestion.text.analyser import analyser
from rag.analytics.clustering import clusters
from rag.analytics.period import Period
from rag.analytics.questions import AskedQuestion, exchanges_of, grouped
from rag.retrieval.lexical import corpus_statistics

MOST = 300
"""Wordings that are compared with each other: the time for it grows with their cube."""

_ALIKE = 0.5  # average cosine: two questions that share one of two equally rare words are not alike yet
_SUBJECTS = 3

_RARITY = """
SELECT t.text, sum(s.lemma_chunks) FROM ingestion_termstatistics s JOIN ingestion_term t ON t.id = s.term_id
WHERE t.text = ANY(%s) AND s.collection_id = ANY(%s) GROUP BY t.text
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """`subject`: the lemmas that its questions share most, the rarest first. The most asked question comes first.

    `times`: how often its questions were asked; `not_found` of them had no answer at all, the others one from passages
    of LOW quality.
    """

    subject: tuple[str, ...]
    questions: tuple[AskedQuestion, ...]
    times: int
    not_found: int
    last: datetime


def gaps_of(period: Period, viewer: Viewer, *, most: int = MOST) -> list[Gap]:
    """The most asked first, then the last asked. Asked on the web instead counts as no gap.

    The `most` asked wordings are compared with each other; each further one is a gap of its own.
    """
    poor = Q(outcome="answered", quality="LOW") & ~Q(metrics__web_fallback=True)
    questions = grouped(exchanges_of(period, viewer).filter(Q(outcome="not_found") | poor))
    alone = [_gap(sorted(_content(question.text)), [question]) for question in questions[most:]]
    collections = [collection.pk for collection in visible_collections(viewer)]
    together = _together(questions[:most], collections) if questions else []
    return sorted([*together, *alone], key=lambda gap: (-gap.times, -gap.last.timestamp()))


def _together(questions: Sequence[AskedQuestion], collections: Sequence[int]) -> list[Gap]:
    lemmas, weights = _weighed(questions, collections)
    directions = weights / np.linalg.norm(weights, axis=1, keepdims=True)
    gaps = []
    for rows in clusters(directions @ directions.T, least=_ALIKE):
        weight = weights[rows].mean(axis=0)
        heaviest = [lemmas[index] for index in np.argsort(-weight, kind="stable") if weight[index] > 0]
        gaps.append(_gap(heaviest, [questions[row] for row in rows]))
    return gaps


def _weighed(questions: Sequence[AskedQuestion], collections: Sequence[int]) -> tuple[list[str], NDArray[np.float64]]:
    """The lemmas of all questions, and a row of weights for each question, with no row of zeros.

    A weight is the lemma's idf in the knowledge base. So what the documents never speak of, which is the gap, decides,
    and "zamówić" or "pracownik", which they are full of, do not bring questions together. A lemma of a single wording
    says nothing about what several have in common and weighs half.
    """
    contents = [_content(question.text) for question in questions]
    wordings = Counter(lemma for content in contents for lemma in content)
    lemmas = sorted(wordings)
    statistics = corpus_statistics(collections)
    with connection.cursor() as cursor:
        cursor.execute(_RARITY, [lemmas, list(collections)])
        chunks = dict(cursor.fetchall())
    weight = {
        lemma: statistics.idf(int(chunks.get(lemma, 0))) * (1.0 if wordings[lemma] > 1 else 0.5) for lemma in lemmas
    }
    return lemmas, np.array([[weight[lemma] if lemma in content else 0.0 for lemma in lemmas] for content in contents])


def _content(text: str) -> set[str]:
    """Lemmas of the words that carry a topic, which years and numbers do not; where there is none, of all words."""
    tokens = analyser().tokens(text)
    telling = {token.lemma for token in tokens if token.form.isalpha() and not analyser().is_stop_word(token)}
    return telling or {token.lemma for token in tokens} or {text}


def _gap(subject: Sequence[str], questions: Sequence[AskedQuestion]) -> Gap:
    return Gap(
        subject=tuple(subject[:_SUBJECTS]),
        questions=tuple(questions),
        times=sum(question.times for question in questions),
        not_found=sum(question.not_found for question in questions),
        last=max(question.last for question in questions),
    )
