"""Answers made by hand."""

from typing import Any

from rag.types import Answer, CheckedClaim, Citation, Passage, Verification


def a_passage(text: str, *, chunk_id: int = 1, uri: str = "urlop.md", start: int = 0) -> Passage:
    return Passage(
        chunk_id=chunk_id,
        document_id=chunk_id,
        collection="kadry",
        title="Urlop",
        uri=uri,
        media_type="text/markdown",
        text=text,
        start=start,
        end=start + len(text),
        line_start=1,
        line_end=1,
    )


def a_citation(number: int, *, uri: str = "urlop.md", document_id: int = 1, start: int = 0) -> Citation:
    return Citation(
        number=number,
        chunk_id=number,
        document_id=document_id,
        title="Urlop",
        uri=uri,
        quote="…",
        start=start,
        end=start + 1,
        line_start=1,
        line_end=1,
    )


def an_answer(text: str, **fields: Any) -> Answer:
    return Answer(question="Ile dni urlopu?", text=text, **{"outcome": "answered", **fields})


def verified(*verdicts: str, precision: float = 1.0) -> Verification:
    claims = tuple(
        CheckedClaim(text=verdict, citations=() if verdict == "uncited" else (1,), verdict=verdict)  # type: ignore[arg-type]
        for verdict in verdicts
    )
    return Verification(claims=claims, citation_precision=precision)
