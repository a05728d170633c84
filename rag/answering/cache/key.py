"""Everything besides the words of a question that its answer rests on."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from django.utils import timezone, translation

from ingestion.models import EmbeddingSpace
from ingestion.selectors import active_space
from ingestion.selectors.clearance import Clearance, version_seen
from knowledgetree.conf import RAGSettings
from knowledgetree.language_models import LLMServer, LLMSettings
from rag.presets import Preset
from rag.question import Question

S = TypeVar("S", LLMSettings, LLMServer)

_FORMAT = 2  # raised when the same key would now give another answer, or answers are stored in another form


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerKey:
    """`digest`: the same for questions whose equal wordings have equal answers. `space`: in which they are compared."""

    digest: str
    collections: tuple[int, ...]
    clearance: Clearance
    space: EmbeddingSpace | None


def answer_key(
    question: Question, *, preset: Preset, assistant: int | None, rights: Sequence[str], settings: str
) -> AnswerKey:
    """Make it before the search: a change during the answering then leaves the answer under a version that is over.

    The viewer counts by the collections that they may read, by the documents in them with readers of their own, and by
    further `rights` that decide what is shown of them;
    the assistant by its number and by all that it changed in `question` and `preset`.
    """
    version = version_seen(question.clearance, [collection.pk for collection in question.collections])
    space = active_space()
    rests_on = {
        "format": _FORMAT,
        "version": version,
        "day": timezone.localdate(),
        "collections": sorted((c.pk, c.slug, c.lemma_weight, c.form_weight) for c in question.collections),
        "rights": sorted(rights),
        "clearance": repr(question.clearance),
        "space": space.pk if space else None,
        "assistant": assistant,
        "preset": asdict(preset),
        "settings": settings,
        "languages": [question.language, translation.get_language()],  # of the answer, and of what is said about it
        "filters": asdict(question.filters),
        "asked": question.asked,  # in another language than what is searched
        "limits": [question.top_k, question.threshold, question.max_tokens],
        "background": asdict(question.background),
        "web": question.web,
    }
    return AnswerKey(
        digest=digest(rests_on),
        collections=tuple(collection.pk for collection in question.collections),
        clearance=question.clearance,
        space=space,
    )


def settings_digest(settings: RAGSettings) -> str:
    """A digest of the whole settings: models, prices, components, with no more of a key than whether there is one."""
    servers = {name: _without_key(server) for name, server in settings.llm.servers.items()}
    llm = replace(_without_key(settings.llm), servers=servers)
    return digest(asdict(replace(settings, llm=llm)))


def _without_key(server: S) -> S:
    return replace(server, api_key="yes" if server.api_key else "")


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()
