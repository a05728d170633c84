"""Questions with their keys, and answers with and without the cache."""

from dataclasses import dataclass, replace
from typing import Any

from ingestion.models.viewers import Viewer
from knowledgetree.conf import rag_settings
from rag.answering.cache.answers import AnswerCache
from rag.answering.cache.key import AnswerKey
from rag.presets import Preset
from rag.question import Question
from rag.selectors.scope import searched_collections
from rag.services.ask import answer_question
from rag.services.choice import chosen_preset
from rag.types import Answer, Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    question: Question
    key: AnswerKey
    preset: Preset


def asked(text: str, viewer: Viewer, **parts: Any) -> Asked:
    """The question of `viewer` and its key, in the order in which answering makes them."""
    filters = parts.pop("filters", Filters())
    rights = parts.pop("rights", ())
    assistant = parts.pop("assistant", None)
    collections = searched_collections(viewer, filters)
    preset = replace(chosen_preset("", assistant=None, collections=collections), **parts.pop("preset", {}))
    question = Question(text=text, language="pl", collections=collections, filters=filters, top_k=10, **parts)
    key = AnswerCache(rag_settings()).key(question, preset=preset, assistant=assistant, rights=rights)
    assert key
    return Asked(question=question, key=key, preset=preset)


def answered(text: str, viewer: Viewer) -> Answer:
    """As the reader gets it: the kept answer, or a new one that is then kept."""
    return answer_question(text, viewer=viewer, save=False)


def answered_anew(text: str, viewer: Viewer) -> Answer:
    """Past the cache."""
    return answer_question(text, viewer=viewer, save=False, cached=False)
