"""The lists that the features reranker is fitted on: what retrieval found, with signals and grades."""

from collections.abc import Callable, Sequence

import numpy as np

from ingestion.models import Collection
from knowledgetree.conf import rag_settings
from rag.errors import InvalidQuestion
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.features.fitting import JudgedList
from rag.presets import preset
from rag.search.reranking.features import FEATURES, passage_features
from rag.search.retriever import HybridRetriever
from rag.services.search import checked_question
from rag.types import Filters, Passage


def judged_lists(
    questions: Sequence[LabelledQuestion], *, collection: Collection, progress: Callable[[int, int], None]
) -> dict[str, JudgedList]:
    """By question id; signals in the order of `FEATURES`. Only the best passage of each document is kept."""
    retriever = HybridRetriever(
        preset=preset("offline"), lexical=rag_settings().lexical, engine=rag_settings().search_engine
    )
    filters = Filters(collections=(collection.slug,))
    lists = {}
    for done, question in enumerate(questions, start=1):
        progress(done, len(questions))
        try:
            text = checked_question(question.question)
        except InvalidQuestion:
            continue
        search, found = retriever.candidates(text, collections=[collection], filters=filters)
        passages = _one_a_document(found)
        if not passages:
            continue
        rows = passage_features(search, passages)
        lists[question.id] = JudgedList(
            signals=np.array([[row[name] for name in FEATURES] for row in rows]),
            grades=np.array([question.judgements.get(passage.uri, 0) for passage in passages], dtype=float),
            ideal=tuple(question.judgements.values()),
        )
    return lists


def _one_a_document(passages: Sequence[Passage]) -> list[Passage]:
    return list({passage.document_id: passage for passage in reversed(passages)}.values())[::-1]
