"""Asking the questions of a set and measuring what comes back; nothing is stored."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from ingestion.selectors import collections_for_all_questions
from rag.errors import LLMError
from rag.evaluation.answers.answer_measures import measured
from rag.evaluation.answers.correctness import expected_points
from rag.evaluation.answers.judge import AnswerJudge, JudgeOpinion
from rag.evaluation.answers.report import AnswerReport, JudgedAnswer
from rag.evaluation.answers.wording import contains, content_lemmas
from rag.evaluation.datasets.questions import LabelledQuestion, is_expected
from rag.evaluation.resuming import measured_now
from rag.llm.spending.meter import spending_for
from rag.search.query.vocabulary import Vocabulary
from rag.search.retrieval.lexical import corpus_statistics
from rag.services.ask import answer_question
from rag.types import Answer, Filters


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


log = logging.getLogger("knowledgetree.evaluation")


@spending_for()
def judge_answers(
    questions: Sequence[LabelledQuestion],
    *,
    viewer: Viewer,
    preset: str = "",
    assistant: str = "",
    parts: Mapping[str, Any] | None = None,
    collection: Collection | None = None,
    judge: AnswerJudge | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    result_of: Callable[[LabelledQuestion, Callable[[], JudgedAnswer]], JudgedAnswer] = measured_now,
) -> AnswerReport:
    """Ask every question as `viewer`, of `collection` alone where there is one, and measure its answer.

    `preset` and `assistant` are names, empty: the default ones; `parts` replace parts of the preset.

    `judge` grades it too; where it fails, the answer is counted and has no grades. `progress` is called with
    (done, total). `result_of` may know what a question came to already.
    """
    filters = Filters(collections=(collection.slug,)) if collection else Filters()
    searched = [collection] if collection else collections_for_all_questions(viewer)
    importance = Importance([one.pk for one in searched])

    def ask(text: str) -> Answer:
        chosen = {"preset": preset, "assistant": assistant, "parts": parts or {}}
        return answer_question(text, viewer=viewer, filters=filters, save=False, cached=False, **chosen)

    judged, unjudged = [], 0
    for done, question in enumerate(questions, start=1):
        item = result_of(question, partial(_asked, question, ask, importance))
        if judge and question.answerable and not item.refused:
            item = replace(item, opinion=_opinion(judge, item))
            unjudged += item.opinion is None
        judged.append(item)
        progress(done, len(questions))
    return AnswerReport(judged=tuple(judged), judge=judge.model if judge else "", unjudged=unjudged)


def _asked(question: LabelledQuestion, ask: Callable[[str], Answer], importance: Importance) -> JudgedAnswer:
    started = time.perf_counter()
    answer = ask(question.question)
    seconds = time.perf_counter() - started
    points = expected_points(question)
    return JudgedAnswer(
        question=question,
        answer=answer,
        document_rank=_rank([passage.uri for passage in answer.passages], question.expected_documents),
        contains_expected=all(contains(answer.text, point) for point in points) if points else None,
        measures=measured(question, answer, importance.of(question.question)),
        seconds=seconds,
    )


def _opinion(judge: AnswerJudge, item: JudgedAnswer) -> JudgeOpinion | None:
    try:
        return judge.judge(item.question, item.answer)
    except LLMError as error:
        log.warning("an answer was not judged", extra={"fields": {"question": item.question.id, "error": str(error)}})
        return None


def _rank(uris: Sequence[str], expected: Sequence[str]) -> int | None:
    distinct = list(dict.fromkeys(uris))
    return next((rank for rank, uri in enumerate(distinct, start=1) if is_expected(uri, expected)), None)
