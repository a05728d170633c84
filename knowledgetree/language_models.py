"""Language models as the settings describe them: how their servers are spoken to, and what they can do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ImproperlyConfigured

LLM_APIS = ("messages", "chat_completions")
"""How a server is spoken to: Anthropic's Messages API, or OpenAI's Chat Completions API."""

STRUCTURED_LEVELS = ("schema", "json", "instruction")
"""What keeps a reply to a form, best first: the JSON schema, JSON of any form, or nothing but words that ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a server can do with a model. None: not known; it is tried once, and what came out is remembered.

    `streaming`: it sends replies in pieces; `stream_usage`: and counts the tokens of such. `tools`: the model may call
    functions. `structured` is one of STRUCTURED_LEVELS. `system_role`: rules may stand apart from the question.
    `located_quotes`: it says from where it quotes. `completion_limit`: the limit of length is called
    `max_completion_tokens` and not `max_tokens`.
    """

    streaming: bool | None = None
    stream_usage: bool | None = None
    tools: bool | None = None
    structured: str | None = None
    system_role: bool | None = None
    located_quotes: bool | None = None
    completion_limit: bool | None = None

    def __post_init__(self) -> None:
        if self.structured is not None:
            check_choice("capabilities.structured", self.structured, STRUCTURED_LEVELS)


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMServer:
    """A further server, for single steps. `api`, `api_key`, `base_url`, `capabilities` and `extra_body` as in
    `knowledgetree.conf.LLMSettings`.
    """

    api: str = "messages"
    api_key: str = ""
    base_url: str = ""
    native_citations: bool = False
    capabilities: Capabilities = field(default_factory=Capabilities)
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        check_choice("api", self.api, LLM_APIS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepModel:
    """A model for a step, on the server that is called so; "": on that of the settings themselves."""

    model: str
    server: str = ""


def check_choice(name: str, value: str, known: tuple[str, ...]) -> None:
    """Raises ImproperlyConfigured, naming the known ones."""
    if value not in known:
        raise ImproperlyConfigured(f"RAG.llm: {name}: {value!r} is not known; known: {', '.join(known)}.")
