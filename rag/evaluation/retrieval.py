"""Retrieval against labels: every question goes through the product's own search, and its documents are ranked."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.contrib.auth.models import AnonymousUser

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors import operator, trying
from rag.errors import InvalidQuestion
from rag.evaluation.datasets.degradation import with_typo, without_diacritics
from rag.evaluation.datasets.questions import LabelledQuestion, sampled
from rag.evaluation.measures.latency import TOTAL, Latency, percentiles
from rag.evaluation.measures.ranking import Scores, means, score_rankings
from rag.evaluation.resuming import measured_now
from rag.services.search import search_passages
from rag.types import Filters, SearchResult

DEPTH = 100
"""Passages asked for; several may be of one document, so that this leaves more than 20 documents."""

Progress = Callable[[int, int], None]
"""Called with (done, total) questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalOptions:
    """How the questions are put. `limit` 0: all of them; else so many drawn by `seed`.

    `preset` and `assistant` are names, `parts` replace parts of the preset; `space`: the name of the embedding space
    that is searched; empty: the default ones. `trials`: copies that are searched in place of their originals.
    """

    preset: str = ""
    assistant: str = ""
    parts: Mapping[str, Any] = field(default_factory=dict)
    space: str = ""
    limit: int = 0
    seed: int = 0
    strip_diacritics: bool = False
    typos: bool = False
    trials: tuple[Collection, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The documents found for a question, best first, each once, and the milliseconds by stage."""

    question: str
    documents: tuple[str, ...]
    latency: dict[str, float]
    lexical_hit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalReport:
    """`without_lexical_hit` counts questions of which no passage was found by its words."""

    rankings: tuple[Ranking, ...]
    scores: Scores
    metrics: dict[str, float]
    latency: Latency

    @property
    def without_lexical_hit(self) -> int:
        return sum(not ranking.lexical_hit for ranking in self.rankings)


def measure_retrieval(
    questions: Sequence[LabelledQuestion],
    *,
    collection: Collection | None,
    options: RetrievalOptions,
    progress: Progress,
    result_of: Callable[[LabelledQuestion, Callable[[], Ranking]], Ranking] = measured_now,
) -> RetrievalReport:
    """Search `collection`, or what everyone may read, for each answerable question that has an expected document, and
    score what is found.

    `result_of` may know the ranking of a question already.
    """
    asked = drawn(questions, options)
    if asked:
        rank_documents(asked[0], collection, options)  # the first question loads dictionaries; nobody's fault
    rankings = []
    for done, question in enumerate(asked, start=1):
        rankings.append(result_of(question, partial(rank_documents, question, collection, options)))
        progress(done, len(asked))
    scores = score_rankings(
        {question.id: question.judgements for question in asked},
        {ranking.question: ranking.documents for ranking in rankings},
    )
    return RetrievalReport(
        rankings=tuple(rankings),
        scores=scores,
        metrics=means(scores),
        latency=percentiles(ranking.latency for ranking in rankings),
    )


def drawn(questions: Sequence[LabelledQuestion], options: RetrievalOptions) -> list[LabelledQuestion]:
    """The questions that are put, in their order."""
    judged = [question for question in questions if question.answerable and question.expected_documents]
    return sampled(judged, limit=options.limit, seed=options.seed)


def as_typed(question: LabelledQuestion, options: RetrievalOptions) -> str:
    """The question's text with the degradations asked for."""
    text = question.question
    if options.typos:
        text = with_typo(text, seed=f"{options.seed}:{question.id}")
    return without_diacritics(text) if options.strip_diacritics else text


def rank_documents(question: LabelledQuestion, collection: Collection | None, options: RetrievalOptions) -> Ranking:
    """A question that search refuses (too long) finds nothing."""
    started = time.perf_counter()
    try:
        result = search_passages(
            query=as_typed(question, options),
            viewer=trying(operator() if collection else AnonymousUser(), options.trials),
            filters=Filters(collections=(collection.slug,)) if collection else Filters(),
            top_k=DEPTH,
            preset=options.preset,
            assistant=options.assistant,
            parts=options.parts,
            space=EmbeddingSpace.objects.get(name=options.space) if options.space else None,
            logged=not options.trials,
        )
    except InvalidQuestion:
        result = SearchResult(passages=())
    total = (time.perf_counter() - started) * 1000
    return Ranking(
        question=question.id,
        documents=tuple(dict.fromkeys(passage.uri for passage in result.passages)),
        latency={**result.latency, TOTAL: total},
        lexical_hit=any(passage.explanation.lexical_rank is not None for passage in result.passages),
    )
