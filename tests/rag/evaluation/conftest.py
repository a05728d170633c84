"""A BEIR folder small enough to know by heart."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

WriteFolder = Callable[..., Path]

CORPUS = [
    {"_id": "urlop", "title": "Urlop wypoczynkowy", "text": "Pracownikowi z długim stażem przysługuje 26 dni."},
    {"_id": "odpady", "title": "Odpady", "text": "Stawka za wywóz śmieci wynosi 31 zł od mieszkańca."},
    {"_id": "śluby", "title": "", "text": "Ślub cywilny w plenerze kosztuje 1000 zł."},
    {"_id": "pies", "title": "Opłata od psa", "text": "Właściciel psa płaci rocznie 60 zł."},
]
QUERIES = [
    {"_id": "q1", "text": "Ile dni urlopu przysługuje pracownikowi?"},
    {"_id": "q2", "text": "Ile kosztuje ślub w plenerze?"},
    {"_id": "q3", "text": "Jaka jest stawka za śmieci?"},
    {"_id": "q4", "text": "Czego nikt nie ocenił?"},
]
QRELS = [("q1", "urlop", 2), ("q1", "pies", 0), ("q2", "śluby", 1), ("q3", "odpady", 1), ("q3", "pies", 1)]


@pytest.fixture
def write_folder(tmp_path: Path) -> WriteFolder:
    """`write_folder("name", corpus=..., queries=..., qrels=...)`: the folder; what is None is not written."""

    def write(
        name: str = "gmina",
        *,
        corpus: Iterable[Mapping[str, Any]] | None = CORPUS,
        queries: Iterable[Mapping[str, Any]] | None = QUERIES,
        qrels: Iterable[tuple[Any, ...]] | None = QRELS,
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for file, rows in (("corpus.jsonl", corpus), ("queries.jsonl", queries)):
            if rows is not None:
                (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        if qrels is not None:
            lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in qrels)]
            (folder / "qrels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return folder

    return write
