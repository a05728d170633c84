"""txtai's keyword index (BM25 over SQLite), as shipped."""

from collections.abc import Sequence
from importlib.metadata import version

from corpus import Entry
from txtai import Embeddings


class TxtaiBM25:
    def __init__(self, entries: Sequence[Entry]) -> None:
        self.version = version("txtai")
        self._index = Embeddings(keyword=True)
        self._index.index([(entry.key, entry.searched, None) for entry in entries])

    def search(self, question: str, depth: int) -> list[str]:
        return [key for key, _score in self._index.search(question, depth)]
