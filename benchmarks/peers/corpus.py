"""A BEIR folder with nothing but the standard library: peers run where KnowledgeTree is not installed."""

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    key: str
    title: str
    text: str

    @property
    def searched(self) -> str:
        """Every system gets the title and the text."""
        return f"{self.title}\n{self.text}".strip()


class Peer(Protocol):
    """One system's lexical search, as it is shipped. The constructor takes the entries and indexes them."""

    version: str

    def search(self, question: str, depth: int) -> list[str]:
        """At most `depth` keys of entries, best first."""


def read_entries(folder: Path) -> list[Entry]:
    return [
        Entry(key=str(row.get("_id", row.get("id"))), title=row.get("title") or "", text=row.get("text") or "")
        for row in _rows(folder / "corpus.jsonl")
    ]


def read_queries(folder: Path) -> dict[str, str]:
    return {str(row.get("_id", row.get("id"))): row["text"] for row in _rows(folder / "queries.jsonl")}


def read_qrels(folder: Path) -> dict[str, dict[str, int]]:
    """{question: {document: grade}}, grades above 0."""
    path = next(path for path in (folder / "qrels.tsv", folder / "qrels/test.tsv") if path.is_file())
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, grade = line.split("\t")
        if int(grade) > 0:
            qrels.setdefault(query, {})[document] = int(grade)
    return qrels


def asked(folder: Path, limit: int) -> dict[str, str]:
    """The questions with an answer in the corpus, or `limit` of them, always the same."""
    qrels = read_qrels(folder)
    queries = {key: text for key, text in read_queries(folder).items() if key in qrels}
    if not 0 < limit < len(queries):
        return queries
    chosen = set(random.Random(0).sample(list(queries), limit))
    return {key: text for key, text in queries.items() if key in chosen}


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
