"""Passages that are true substrings of a document."""

from collections.abc import Callable
from typing import Any

import pytest

from rag.types import Passage

MakePassage = Callable[..., Passage]


@pytest.fixture(scope="session")
def passage() -> MakePassage:
    def make(text: str, *, chunk_id: int = 1, start: int = 100, line_start: int = 5, **fields: Any) -> Passage:
        values: dict[str, Any] = {
            "document_id": 10 + chunk_id,
            "collection": "prawo",
            "title": f"Dokument {chunk_id}",
            "uri": f"file:///dokument-{chunk_id}.md",
            "media_type": "text/markdown",
            "end": start + len(text),
            "line_end": line_start + text.count("\n"),
            **fields,
        }
        return Passage(chunk_id=chunk_id, text=text, start=start, line_start=line_start, **values)

    return make
