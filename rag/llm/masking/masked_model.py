"""A language model that is told no personal data."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from ingestion.text.personal_data.pseudonyms import Pseudonyms
from knowledgetree.language_models import Capabilities
from rag.llm.masking.question_pseudonyms import pseudonyms_here
from rag.llm.masking.restored_replies import RestoredLocatingReply, RestoredReply, restored_turn, restored_value
from rag.llm.prompts import render
from rag.llm.protocol import LanguageModel
from rag.types import Message, ModelTurn, QuotableSource, Tokens, ToolSpec

T = TypeVar("T", bound=BaseModel)

_POLISH = frozenset("ąćęłńóśźż")


class MaskedModel:
    """Implements `rag.llm.protocol.LanguageModel` over `client`. All that is said to it is masked: rules, sources,
    questions, results of tools. What it says, and what it calls tools with, has the data again.
    """

    def __init__(self, client: LanguageModel) -> None:
        self.name = client.name
        self._client = client

    @property
    def locates(self) -> bool:
        return self._client.locates

    @property
    def capabilities(self) -> Capabilities:
        return self._client.capabilities

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> RestoredReply:
        """See `rag.llm.protocol.LanguageModel.stream`."""
        pseudonyms = pseudonyms_here()
        rules, said = _masked(pseudonyms, system, [prompt])
        return RestoredReply(self._client.stream(system=rules, prompt=said[0], max_tokens=max_tokens), pseudonyms)

    def structured(
        self, *, system: str, prompt: str, schema: type[T], max_tokens: int, timeout: float
    ) -> tuple[T, Tokens]:
        """See `rag.llm.protocol.LanguageModel.structured`."""
        pseudonyms = pseudonyms_here()
        rules, said = _masked(pseudonyms, system, [prompt])
        reply, usage = self._client.structured(
            system=rules, prompt=said[0], schema=schema, max_tokens=max_tokens, timeout=timeout
        )
        restored: T = restored_value(reply, pseudonyms)
        return restored, usage

    def cite(
        self, *, system: str, sources: Sequence[QuotableSource], prompt: str, max_tokens: int
    ) -> RestoredLocatingReply:
        """See `rag.llm.protocol.LanguageModel.cite`."""
        pseudonyms = pseudonyms_here()
        texts = [prompt, *(text for source in sources for text in (source.title, *source.blocks))]
        rules, (said, *told) = _masked(pseudonyms, system, texts)
        parts = iter(told)
        masked = [
            QuotableSource(title=next(parts), blocks=tuple(next(parts) for _ in source.blocks)) for source in sources
        ]
        reply = self._client.cite(system=rules, sources=masked, prompt=said, max_tokens=max_tokens)
        return RestoredLocatingReply(reply, pseudonyms, sources=sources, masked=masked)

    def converse(
        self,
        *,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        max_tokens: int,
        timeout: float,
        may_call: bool = True,
    ) -> ModelTurn:
        """See `rag.llm.protocol.LanguageModel.converse`."""
        pseudonyms = pseudonyms_here()
        rules, told = _masked(pseudonyms, system, list(_texts(messages)))
        texts = iter(told)
        said = [_with_texts(message, texts) for message in messages]
        turn = self._client.converse(
            system=rules, messages=said, tools=tools, max_tokens=max_tokens, timeout=timeout, may_call=may_call
        )
        return restored_turn(turn, pseudonyms)


def _masked(pseudonyms: Pseudonyms, system: str, texts: list[str]) -> tuple[str, list[str]]:
    """The rules and texts as the model may have them. The rules say what stand-ins are where there are any."""
    rules, *masked = pseudonyms.mask([system, *texts])
    if [rules, *masked] == [system, *texts]:
        return rules, masked
    language = "pl" if _POLISH & set(system) else "en"
    return f"{rules}\n\n{render('pseudonyms', language)}", masked


def _texts(messages: Iterable[Message]) -> Iterable[str]:
    """A turn of the model goes back as its server sent it, and that was told no data."""
    for message in messages:
        if isinstance(message, str):
            yield message
        elif isinstance(message, ModelTurn):
            yield "" if message.content else message.text
        else:
            yield from (result.text for result in message)


def _with_texts(message: Message, texts: Iterable[str]) -> Message:
    following = iter(texts)
    if isinstance(message, str):
        return next(following)
    if isinstance(message, ModelTurn):
        text = next(following)
        return message if message.content else replace(message, text=text)
    return tuple(replace(result, text=next(following)) for result in message)
