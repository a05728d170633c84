"""Questions that a corpus can answer and questions that it cannot, with what a search finds for each.

Grades are never complete: most passages of a set were read by nobody. So a passage counts as helping only where its
document was graded for the question, and as not helping only where the whole corpus cannot answer: the best passage
for a question asked of a foreign corpus, or for one marked unanswerable. Ungraded passages of answerable questions
count as neither.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors import collections_for_all_questions
from knowledgetree.conf import rag_settings
from rag.errors import InvalidQuestion
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import InvalidQuestionSet, LabelledQuestion
from rag.llm.configuration import llm_settings
from rag.models import EvaluationDataset
from rag.presets import preset
from rag.search.relevance.inputs import input_values, reranked_by
from rag.search.relevance.relevance import Relevance
from rag.search.retriever import HybridRetriever
from rag.services.search import checked_question
from rag.types import Filters

DEPTH = 10
"""Passages of a question that are looked at, as many as an answer is written from."""

_SECONDS = 60.0  # a reranker may take its time here: a late one would leave the fused order, which is not its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A question and whether the corpus of `dataset` answers it; `key` names it among all sets."""

    dataset: EvaluationDataset
    key: str
    question: LabelledQuestion
    answerable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A passage found: its inputs by name, the relevance it has now, and whether its document was graded."""

    values: Mapping[str, float]
    relevance: float
    graded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedQuestion:
    """A question and its first passages, best first."""

    drawn: Drawn
    passages: tuple[Shown, ...]

    @property
    def example(self) -> Shown | None:
        """The passage that the weights are fitted on, if any counts for something."""
        if not self.drawn.answerable:
            return next(iter(self.passages), None)
        return next((passage for passage in self.passages if passage.graded), None)


def draw_questions(
    datasets: Sequence[EvaluationDataset], *, limit: int, seed: int, alike: Sequence[frozenset[str]] = ()
) -> list[Drawn]:
    """For each of `datasets` at most `limit` answerable questions and at most as many others.

    The others are those of the set that are marked unanswerable; where they are fewer, those of other stored sets are
    taken, evenly, but not of sets whose corpus is `alike`. Raises InvalidQuestionSet where there are none.
    """
    stored = EvaluationDataset.objects.select_related("collection").order_by("name")
    questions = {dataset: list(stored_questions(dataset)) for dataset in stored}
    chance = random.Random(seed)  # noqa: S311 (it only has to be repeatable)
    drawn: list[Drawn] = []
    for dataset in datasets:
        own = [q for q in questions[dataset] if q.answerable and q.expected_documents]
        own = chance.sample(own, min(limit, len(own)))
        strangers = _strangers(dataset, questions, alike)
        others = [(dataset.name, q) for q in questions[dataset] if not q.answerable][: len(own)]
        others += _evenly(strangers, len(own) - len(others), chance)
        _check_both(dataset, own, others)
        asked = [(dataset.name, question, True) for question in own] + [(name, q, False) for name, q in others]
        drawn += [Drawn(dataset=dataset, key=f"{name}:{q.id}", question=q, answerable=can) for name, q, can in asked]
    return drawn


def _check_both(dataset: EvaluationDataset, own: Sequence[object], others: Sequence[object]) -> None:
    if not own or not others:
        raise InvalidQuestionSet(
            _("%(name)s: to calibrate, questions with and without an answer are needed.") % {"name": dataset.name},
            remedy=_("Store a set about something else too, or mark questions as unanswerable."),
        )


def ask_questions(
    drawn: Sequence[Drawn], *, space: EmbeddingSpace, reranker: str, progress: Callable[[int, int], None]
) -> list[RankedQuestion]:
    """What each question finds; those that search refuses, or that the reranker failed on, are left out."""
    chosen = replace(preset("offline"), reranker=reranker, rerank_seconds=_SECONDS)
    retriever = HybridRetriever(
        preset=chosen,
        lexical=rag_settings().lexical,
        engine=rag_settings().search_engine,
        llm=llm_settings(),
        space=space,
    )
    corpora = {one.dataset.pk: searched(one.dataset) for one in drawn}
    answers = []
    for done, one in enumerate(drawn, start=1):
        found = _asked(one, retriever, corpora[one.dataset.pk], reranker)
        answers += [found] if found else []
        progress(done, len(drawn))
    return answers


def searched(dataset: EvaluationDataset) -> list[Collection]:
    """The set's collection, else what everyone may read."""
    return [dataset.collection] if dataset.collection else list(collections_for_all_questions(AnonymousUser()))


def _strangers(
    dataset: EvaluationDataset,
    questions: Mapping[EvaluationDataset, Sequence[LabelledQuestion]],
    alike: Sequence[frozenset[str]],
) -> dict[str, list[LabelledQuestion]]:
    """By name, the answerable questions of each set that is about something else."""
    corpora = {collection.pk for collection in searched(dataset)}
    return {
        other.name: [question for question in asked if question.answerable]
        for other, asked in questions.items()
        if other != dataset
        and frozenset((dataset.name, other.name)) not in alike
        and corpora.isdisjoint(collection.pk for collection in searched(other))
    }


def _evenly(
    sets: Mapping[str, list[LabelledQuestion]], wanted: int, chance: random.Random
) -> list[tuple[str, LabelledQuestion]]:
    """At most `wanted` questions, as many of each set as of the others, with the set's name; small sets give all."""
    taken: list[tuple[str, LabelledQuestion]] = []
    smallest_first = sorted(sets.items(), key=lambda item: len(item[1]))
    for place, (name, asked) in enumerate(smallest_first):
        share = (wanted - len(taken)) // (len(sets) - place)
        taken += [(name, question) for question in chance.sample(asked, min(share, len(asked)))]
    return taken


def _asked(
    one: Drawn, retriever: HybridRetriever, collections: list[Collection], reranker: str
) -> RankedQuestion | None:
    try:
        text = checked_question(one.question.question)
    except InvalidQuestion:
        return None
    search, passages = retriever.ranked(text, collections=collections, filters=Filters())
    passages = Relevance().apply(search, passages[:DEPTH])
    if passages and reranked_by(passages[0]) != reranker:
        return None
    graded = one.question.judgements if one.answerable else {}
    shown = [
        Shown(values=values, relevance=passage.relevance, graded=passage.uri in graded)
        for passage, values in zip(passages, input_values(search, passages), strict=True)
    ]
    return RankedQuestion(drawn=one, passages=tuple(shown))
