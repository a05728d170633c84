"""Language models as the settings describe them: how their servers are spoken to, and what they can do."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from django.core.exceptions import ImproperlyConfigured

LLM_APIS = ("messages", "chat_completions")
"""How a server is spoken to: Anthropic's Messages API, or OpenAI's Chat Completions API."""

LLM_STEPS = (
    "answer", "analysis", "rewriting", "planning", "grading", "verification", "judging", "expansion", "tools",
    "summaries",
)  # fmt: skip
"""What language models are asked to do on the way to an answer."""

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
    LLMSettings.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens. Input read from the provider's cache, and written into it, costs as other input
    where it has no price of its own (None).
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMSettings:
    """Which language models are asked, and how. Times in seconds, sizes in tokens.

    `api` is one of LLM_APIS, `base_url` the server's address: empty, that of the API's own company. `capabilities` are
    what its server is known to do; `extra_body` goes with every request as it is, such as a temperature.
    `model` answers; `fast_model` does what must not take long: it words questions anew, plans and grades; `models` has
    others for single steps, by their names in LLM_STEPS: the name of a model, or a StepModel on one of the `servers`.
    `transformation_seconds` is what all wordings of a question together may take, `step_seconds` what any other short
    step may. At most `max_concurrent` requests run at once, the others wait. After `breaker_failures` failures in a row
    nothing is asked for `breaker_seconds`. `prices` by model go before those set in the admin and those that ship.
    `native_citations`: whether the server is asked to locate what it quotes. `mask_personal_data`: whether models are
    told stand-ins such as "[osoba 1]" instead of names, addresses and numbers of people.
    """

    api: str = "messages"
    api_key: str = ""
    base_url: str = ""
    model: str = "claude-sonnet-5-5"
    fast_model: str = "claude-haiku-5-5"
    capabilities: Capabilities = field(default_factory=Capabilities)
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)
    servers: Mapping[str, LLMServer] = field(default_factory=dict, hash=False)
    models: Mapping[str, str | StepModel] = field(default_factory=dict, hash=False)
    transformation_seconds: float = 4.0
    step_seconds: float = 4.0
    max_tokens: int = 1000
    source_tokens: int = 6000
    timeout: float = 60.0
    max_retries: int = 2
    max_concurrent: int = 16
    breaker_failures: int = 3
    breaker_seconds: float = 30.0
    native_citations: bool = True
    mask_personal_data: bool = True
    prices: Mapping[str, Price] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.models) - set(LLM_STEPS)):
            raise ImproperlyConfigured(
                f"RAG.llm.models: unknown step {', '.join(unknown)}; known: {', '.join(LLM_STEPS)}."
            )
        check_choice("api", self.api, LLM_APIS)
        for chosen in self.models.values():
            if isinstance(chosen, StepModel) and chosen.server:
                check_choice("models: server", chosen.server, tuple(sorted(self.servers)))

    @property
    def configured(self) -> bool:
        """Whether a model answers: without one answers are extractive. A server of one's own needs no key."""
        answering = self.for_step("answer")
        return bool((answering.api_key or answering.base_url) and answering.model)

    def for_step(self, step: str) -> "LLMSettings":
        """With the model that does the step (one of LLM_STEPS) as `model`, and its server."""
        chosen = self.models.get(step) or (self.model if step == "answer" else self.fast_model or self.model)
        if isinstance(chosen, str):
            chosen = StepModel(model=chosen)
        alone = replace(self, model=chosen.model, models={}, servers={})
        if not chosen.server:
            return alone
        server = self.servers[chosen.server]
        return replace(alone, **{one.name: getattr(server, one.name) for one in fields(server)})


def check_choice(name: str, value: str, known: tuple[str, ...]) -> None:
    """Raises ImproperlyConfigured, naming the known ones."""
    if value not in known:
        raise ImproperlyConfigured(f"RAG.llm: {name}: {value!r} is not known; known: {', '.join(known)}.")
