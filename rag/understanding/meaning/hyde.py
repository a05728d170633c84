"""HyDE: a passage that might answer the question lies nearer to those that do than the question itself.

Gao et al. 2022, Precise Zero-Shot Dense Retrieval without Relevance Labels, arXiv:2212.10496.
"""

from collections.abc import Iterable

from pydantic import BaseModel

from rag.understanding.meaning.prompted import PromptedTransformation
from rag.understanding.meaning.protocol import Variant


class Imagined(BaseModel):
    passage: str


class HyDE(PromptedTransformation[Imagined]):
    """One imagined passage. What it says may be wrong; it is searched with and never shown as an answer."""

    name = "hyde"
    schema = Imagined

    def read(self, reply: Imagined) -> Iterable[Variant]:
        return [Variant(text=reply.passage, origin=self.name, passage=True)]
