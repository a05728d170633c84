"""Language models. Without a key there is none: answers are extractive, questions are searched as they are worded."""

from dataclasses import replace
from functools import lru_cache

from django.db import connection

from knowledgetree.conf import LLMSettings
from rag.protocols import LanguageModel


@lru_cache(maxsize=8)
def language_model(settings: LLMSettings) -> LanguageModel:
    """The process-wide client for these settings; its connections are reused."""
    from rag.llm.claude import Claude

    return Claude(
        api_key=settings.api_key,
        base_url=settings.base_url,
        model=settings.model,
        timeout=settings.timeout,
        max_retries=settings.max_retries,
    )


def fast_language_model(settings: LLMSettings) -> LanguageModel | None:
    """The one for steps that a reader waits for; None without a key."""
    return language_model(replace(settings, model=settings.fast_model)) if settings.api_key else None


def release_connection() -> None:
    """Before a model is asked: no connection is held while it thinks, so that a pool of twenty serves many readers."""
    if not connection.in_atomic_block:
        connection.close()
