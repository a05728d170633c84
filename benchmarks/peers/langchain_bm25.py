"""LangChain's BM25Retriever (rank-bm25, words split at spaces), as shipped."""

from collections.abc import Sequence
from importlib.metadata import version

from corpus import Entry
from langchain_community.retrievers import BM25Retriever


class LangChainBM25:
    def __init__(self, entries: Sequence[Entry]) -> None:
        self.version = version("langchain-community")
        self._retriever = BM25Retriever.from_texts(
            [entry.searched for entry in entries], metadatas=[{"key": entry.key} for entry in entries]
        )

    def search(self, question: str, depth: int) -> list[str]:
        self._retriever.k = depth
        return [document.metadata["key"] for document in self._retriever.invoke(question)]
