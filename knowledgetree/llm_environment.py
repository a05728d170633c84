"""Language models from the environment: what is set there and nothing else, so that others may say the rest."""

import json
import os
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from knowledgetree.env import env_bool, env_int, env_secret, env_str
from knowledgetree.language_models import LLM_APIS, check_choice

_COMPANY = {"messages": "ANTHROPIC", "chat_completions": "OPENAI"}
_TEXTS = ("BASE_URL", "MODEL", "FAST_MODEL")


def llm_environment() -> dict[str, Any]:
    """Parts of `settings.RAG["llm"]`. Of every variable `LLM_X` the name of the API's own company does as well:
    `ANTHROPIC_X` for the Messages API, `OPENAI_X` for Chat Completions.

    Raises ImproperlyConfigured.
    """
    api = env_str("LLM_API") or "messages"
    check_choice("LLM_API", api, LLM_APIS)
    named = {name: _name_of(name, _COMPANY[api]) for name in (*_TEXTS, "NATIVE_CITATIONS", "MAX_CONCURRENT")}
    found: dict[str, Any] = {"api": api} if env_str("LLM_API") else {}
    if key := env_secret("LLM_API_KEY") or env_secret(f"{_COMPANY[api]}_API_KEY"):
        found["api_key"] = key
    found |= {name.lower(): value for name in _TEXTS if (value := env_str(named[name]))}
    if named["MAX_CONCURRENT"] in os.environ:
        found["max_concurrent"] = env_int(named["MAX_CONCURRENT"], 16)
    # Other servers of the Messages API may drop search results unseen, and the model would answer without sources.
    if named["NATIVE_CITATIONS"] in os.environ or "base_url" in found:
        found["native_citations"] = env_bool(named["NATIVE_CITATIONS"])
    if api == "chat_completions":  # the models that are there without being named are Anthropic's
        found = {"model": "", "fast_model": "", **found}
    return found | _extra_body()


def _name_of(name: str, company: str) -> str:
    return f"LLM_{name}" if env_str(f"LLM_{name}") else f"{company}_{name}"


def _extra_body() -> dict[str, Any]:
    if not (text := env_str("LLM_EXTRA_BODY")):
        return {}
    try:
        extra = json.loads(text)
    except ValueError as error:
        raise ImproperlyConfigured(f"LLM_EXTRA_BODY is not JSON: {error}") from error
    if not isinstance(extra, Mapping):
        raise ImproperlyConfigured("LLM_EXTRA_BODY is not a JSON object.")
    return {"extra_body": extra}
