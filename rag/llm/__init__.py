"""Language models. Without a key there is none, and answers are extractive."""

from functools import lru_cache

from knowledgetree.conf import LLMSettings
from rag.protocols import LanguageModel


@lru_cache(maxsize=4)
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
