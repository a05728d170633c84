"""LlamaIndex's BM25Retriever (bm25s): as shipped, and without its English stemmer and stop words.

Its documentation says to pass a stemmer and the language of the corpus. The PyStemmer that it allows (below 3) has no
Polish stemmer and bm25s has no Polish stop words, so what remains to be done for Polish is to leave both out.
"""

from collections.abc import Sequence
from importlib.metadata import version

from corpus import Entry
from llama_index.core.schema import TextNode
from llama_index.retrievers.bm25 import BM25Retriever


class LlamaIndexBM25:
    options: dict[str, object] = {}

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.version = version("llama-index-retrievers-bm25")
        self._nodes = [TextNode(id_=entry.key, text=entry.searched) for entry in entries]
        self._depth = 20
        self._retriever = self._built()

    def search(self, question: str, depth: int) -> list[str]:
        if depth != self._depth:
            self._depth = depth
            self._retriever = self._built()
        return [found.node.node_id for found in self._retriever.retrieve(question)]

    def _built(self) -> BM25Retriever:
        return BM25Retriever.from_defaults(nodes=self._nodes, similarity_top_k=self._depth, **self.options)


class LlamaIndexBM25NotEnglish(LlamaIndexBM25):
    options = {"skip_stemming": True, "language": []}
