"""Language models. Where none is configured, answers are extractive, questions are searched as they are worded."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from knowledgetree.conf import LLMSettings
from rag.llm.protocol import LanguageModel

if TYPE_CHECKING:
    from rag.llm.messages.messages_model import MessagesModel


def model_for(settings: LLMSettings, step: str) -> str:
    """The name of the model that does a step (`knowledgetree.conf.LLM_STEPS`): a small fast one unless it answers."""
    return settings.models.get(step) or (settings.model if step == "answer" else settings.fast_model)


def step_model(settings: LLMSettings, step: str) -> "MessagesModel | None":
    """The client for a step; None where none is configured."""
    return language_model(replace(settings, model=model_for(settings, step))) if settings.configured else None


def fast_language_model(settings: LLMSettings) -> LanguageModel | None:
    """The one for steps that a search waits for; None where none is configured."""
    return step_model(settings, "expansion")


@lru_cache(maxsize=32)
def language_model(settings: LLMSettings) -> "MessagesModel":
    """The process-wide client for these settings and their `model`; its connections are reused."""
    from rag.llm.messages.messages_model import DEFAULT_BASE_URL, MessagesModel
    from rag.llm.provider import provider

    return MessagesModel(
        api_key=settings.api_key,
        base_url=settings.base_url,
        model=settings.model,
        timeout=settings.timeout,
        max_retries=settings.max_retries,
        locates=settings.native_citations,
        shared=provider(
            settings.base_url or DEFAULT_BASE_URL,
            max_concurrent=settings.max_concurrent,
            failures=settings.breaker_failures,
            seconds=settings.breaker_seconds,
        ),
    )
