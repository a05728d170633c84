"""A transformation that is one prompt: the question in, variants out."""

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel

from rag.llm.prompts import prompt_hash, render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.understanding.language import question_language
from rag.understanding.meaning.variants import Transformed, Variant

T = TypeVar("T", bound=BaseModel)

_LONGEST = 1500  # characters; a passage of 120 words has 900
# What the model puts into quotes is not what the reader demands to stand so: quotation marks would make it a filter.
_QUOTES = re.compile(r"[\"„”“«»\x00]")


class Transformation(ABC, Generic[T]):
    """Words a question anew. One instance serves all threads and holds no database connection.

    `name` is the prompt's, and as in `Preset.transformations`.
    """

    name: ClassVar[str]
    max_tokens: ClassVar[int] = 400
    schema: type[T]

    def __init__(self, llm: LanguageModel) -> None:
        self._llm = llm

    def key(self, question: str) -> str:
        """Equal keys give variants that are as good as each other: it names the question, the model and the prompt."""
        language = self.prompt_language(question)
        parts = (self.name, self._llm.name, prompt_hash(self.name, language), prompt_hash("question", language))
        return "transformation:" + hashlib.sha256("\n".join((*parts, question)).encode()).hexdigest()

    def transform(self, question: str, *, timeout: float) -> Transformed:
        """Variants, the likeliest first, none equal to the question but one that waits for others. Raises LLMError, at
        the latest after `timeout` seconds.
        """
        language = self.prompt_language(question)
        reply, usage = self._llm.structured(
            system=render(self.name, language),
            prompt=render("question", language, question=neutralise(question)),
            schema=self.schema,
            max_tokens=self.max_tokens,
            timeout=timeout,
        )
        return Transformed(variants=tuple(_worth_searching(self.read(reply), question)), usage=usage)

    def prompt_language(self, question: str) -> str:
        return question_language(question)

    @abstractmethod
    def read(self, reply: T) -> Iterable[Variant]:
        """The variants as the model gave them."""


def _worth_searching(variants: Iterable[Variant], question: str) -> Iterable[Variant]:
    """Each text once, without quotation marks. The last step of a question may be the question itself."""
    seen = {""}
    whole = _plain(question).casefold()
    for variant in variants:
        text = _plain(variant.text)
        known = text.casefold() in seen or (text.casefold() == whole and not variant.depends_on)
        if not known:
            seen.add(text.casefold())
            yield replace(variant, text=text)


def _plain(text: str) -> str:
    return " ".join(_QUOTES.sub(" ", text[:_LONGEST]).split())
