"""Passages and citations of them."""

from collections.abc import Callable
from typing import Any

import pytest

from rag.answering.verification import Verifier
from rag.types import Citation, Passage

MakePassage = Callable[..., Passage]
MakeCitation = Callable[..., Citation]


@pytest.fixture(scope="session")
def verifier() -> Verifier:
    return Verifier()


@pytest.fixture(scope="session")
def passage() -> MakePassage:
    def make(text: str, *, number: int = 1, title: str = "Dokument", **fields: Any) -> Passage:
        values = {
            "chunk_id": number,
            "document_id": 10 + number,
            "collection": "kadry",
            "uri": f"file:///{number}.md",
            "media_type": "text/markdown",
            "start": 0,
            "end": len(text),
            "line_start": 1,
            "line_end": 1,
            "relevance": 0.9,
            **fields,
        }
        return Passage(title=title, text=text, **values)

    return make


@pytest.fixture(scope="session")
def citation() -> MakeCitation:
    def make(passage: Passage, *, number: int = 1, quote: str = "") -> Citation:
        return Citation(
            number=number,
            chunk_id=passage.chunk_id,
            document_id=passage.document_id,
            title=passage.title,
            uri=passage.uri,
            quote=quote or passage.text,
            start=passage.start,
            end=passage.end,
            line_start=1,
            line_end=1,
            score=passage.relevance,
            origin=passage.origin,
        )

    return make
