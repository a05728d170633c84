"""Haystack's InMemoryBM25Retriever (BM25L over its own regular expression), as shipped."""

from collections.abc import Sequence
from importlib.metadata import version

from corpus import Entry
from haystack import Document
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore


class HaystackBM25:
    def __init__(self, entries: Sequence[Entry]) -> None:
        self.version = version("haystack-ai")
        store = InMemoryDocumentStore()
        store.write_documents([Document(id=entry.key, content=entry.searched) for entry in entries])
        self._retriever = InMemoryBM25Retriever(document_store=store)

    def search(self, question: str, depth: int) -> list[str]:
        return [document.id for document in self._retriever.run(query=question, top_k=depth)["documents"]]
