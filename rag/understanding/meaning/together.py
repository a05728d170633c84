"""Several transformations of one question, at the same time and within one deadline."""

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from typing import Any

from django.core.cache import cache
from pydantic import BaseModel

from rag.errors import LLMError
from rag.llm.protocol import LanguageModel
from rag.types import Tokens
from rag.understanding.meaning.decomposition import Decomposition
from rag.understanding.meaning.transformation import Transformation
from rag.understanding.meaning.variants import Transformed, Variant

_WORDINGS = 3


class Wordings(BaseModel):
    wordings: list[str]


class MultiQuery(Transformation[Wordings]):
    """At most three wordings (as in LangChain's MultiQueryRetriever)."""

    name = "multi_query"
    schema = Wordings

    def read(self, reply: Wordings) -> Iterable[Variant]:
        return [Variant(text=text, origin=self.name) for text in reply.wordings[:_WORDINGS]]


class Imagined(BaseModel):
    passage: str


class HyDE(Transformation[Imagined]):
    """One imagined passage. What it says may be wrong; it is searched with and never shown as an answer."""

    name = "hyde"
    schema = Imagined

    def read(self, reply: Imagined) -> Iterable[Variant]:
        return [Variant(text=reply.passage, origin=self.name, passage=True)]


# Nothing of the documents goes into a variant, so that it is the same for every viewer.
_CACHED_SECONDS = 300
_KNOWN: Mapping[str, type[MultiQuery] | type[HyDE] | type[Decomposition]] = {
    known.name: known for known in (MultiQuery, HyDE, Decomposition)
}

Outcomes = Mapping[str, Transformed | LLMError]


def transformations(names: Sequence[str], llm: LanguageModel) -> list[Transformation[Any]]:
    return [_KNOWN[name](llm) for name in names]


def transformed(question: str, chosen: Sequence[Transformation[Any]], *, seconds: float) -> Outcomes:
    """By name, what each transformation made of the question, or why it made nothing, after at most `seconds`.

    The cache is read and written here, in the caller's thread: those of the model hold no database connection.
    """
    keys = {transformation.key(question): transformation for transformation in chosen}
    cached: dict[str, Transformed] = cache.get_many(keys)
    missing = [key for key in keys if key not in cached]
    new = dict(zip(missing, _asked(question, [keys[key] for key in missing], seconds), strict=True))
    cache.set_many(
        {key: replace(made, usage=Tokens()) for key, made in new.items() if isinstance(made, Transformed)},
        _CACHED_SECONDS,
    )
    return {transformation.name: cached.get(key) or new[key] for key, transformation in keys.items()}


def _asked(question: str, missing: Sequence[Transformation[Any]], seconds: float) -> list[Transformed | LLMError]:
    if not missing:
        return []
    deadline = time.monotonic() + seconds

    def ask(transformation: Transformation[Any]) -> Transformed | LLMError:
        try:
            return transformation.transform(question, timeout=deadline - time.monotonic())
        except LLMError as error:
            return error

    with ThreadPoolExecutor(max_workers=len(missing), thread_name_prefix="transform") as threads:
        begun = [threads.submit(copy_context().run, ask, one) for one in missing]
        return [one.result() for one in begun]
