"""Multi-query: the same question in other words, for documents that use those words."""

from collections.abc import Iterable

from pydantic import BaseModel

from rag.understanding.meaning.prompted import PromptedTransformation
from rag.understanding.meaning.protocol import Variant

_WORDINGS = 3


class Wordings(BaseModel):
    wordings: list[str]


class MultiQuery(PromptedTransformation[Wordings]):
    """At most three wordings (as in LangChain's MultiQueryRetriever)."""

    name = "multi_query"
    schema = Wordings

    def read(self, reply: Wordings) -> Iterable[Variant]:
        return [Variant(text=text, origin=self.name) for text in reply.wordings[:_WORDINGS]]
