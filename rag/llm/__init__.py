"""Language models. Where none is configured, answers are extractive, questions are searched as they are worded."""

from functools import lru_cache
from urllib.parse import urlsplit

from knowledgetree.language_models import LLMSettings
from rag.llm.failures import keep_secret
from rag.llm.protocol import LanguageModel

_APIS = {
    "messages": ("Messages API", "api.anthropic.com"),
    "chat_completions": ("Chat Completions API", "api.openai.com"),
}


def model_for(settings: LLMSettings, step: str) -> str:
    """The name of the model that does a step (of LLM_STEPS): a small fast one unless it answers."""
    return settings.for_step(step).model


def served_by(settings: LLMSettings, step: str) -> str:
    """The model of a step with its API and server, for people: "bielik (Chat Completions API, localhost:11434)"."""
    own = settings.for_step(step)
    api, company = _APIS[own.api]
    return f"{own.model} ({api}, {urlsplit(own.base_url).netloc.rpartition('@')[2] or company})"


def step_model(settings: LLMSettings, step: str) -> LanguageModel | None:
    """The client for a step; None where no model is configured for it."""
    own = settings.for_step(step)
    return language_model(own) if own.configured else None


def fast_language_model(settings: LLMSettings) -> LanguageModel | None:
    """The one for steps that a search waits for; None where none is configured."""
    return step_model(settings, "expansion")


@lru_cache(maxsize=32)
def language_model(settings: LLMSettings) -> LanguageModel:
    """The one for these settings and their `model`; it is told no personal data unless the settings say so."""
    if not settings.mask_personal_data:
        return api_client(settings)
    from rag.llm.masking.masked_model import MaskedModel

    return MaskedModel(api_client(settings))


@lru_cache(maxsize=32)
def api_client(settings: LLMSettings) -> LanguageModel:
    """The process-wide client for these settings and their `model`, which sends what it is given; its connections are
    reused.
    """
    keep_secret(settings.api_key)
    if settings.api == "chat_completions":
        from rag.llm.chat_completions.chat_model import chat_model

        return chat_model(settings)
    from rag.llm.messages.messages_model import messages_model

    return messages_model(settings)
