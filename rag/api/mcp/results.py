"""What the tools give back. The fields' descriptions are the tools' output schemas, read by models."""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rag.types import Outcome


class _ToolResult(BaseModel):
    model_config = ConfigDict(frozen=True)


class FoundPassage(_ToolResult):
    id: str = Field(description="Give it to `fetch` to read the passage.")
    title: str = Field(description="Title of the document, then the heading above the passage.")
    url: str = Field(description="Opens the document with the passage marked, for people who may read it.")


class FoundPassages(_ToolResult):
    results: list[FoundPassage] = Field(description="Best first.")


class FetchedMetadata(_ToolResult):
    part: Literal["document", "section", "passage"] = Field(
        description="What `text` is: the whole document, the section that the passage stands in, or the passage alone."
    )
    section: str = Field(description="The headings above the text, outermost first.")
    pages: str = Field(description="As `3` or `3-4`; empty where the format has none.")
    collection: str
    category: str
    tags: list[str]
    language: str
    version: str
    in_force: bool = Field(description="Whether the document is in force today.")
    valid_from: date | None
    valid_to: date | None
    changed: date = Field(description="When the document last changed.")


class FetchedText(_ToolResult):
    id: str
    title: str
    text: str
    url: str = Field(description="Opens the document with the passage marked.")
    metadata: FetchedMetadata


class CitedQuote(_ToolResult):
    number: int = Field(description="Stands as `[number]` after each claim that rests on it.")
    title: str
    section: str
    quote: str = Field(description="Exactly what the document says there.")
    url: str = Field(description="Opens the document with the quote marked.")
    id: str = Field(description="Give it to `fetch` to read on; empty for a page of the web.")


class CitedAnswer(_ToolResult):
    answer: str = Field(description="With `[number]` after each claim, in the language of the question.")
    outcome: Outcome = Field(
        description="`answered`; `not_certain`: the nearest passages, which may not answer; `not_found`: the documents "
        "do not say it; `direct`: said without looking anything up."
    )
    confidence: str = Field(description="How sure the answer is, in words; empty where nothing was answered.")
    citations: list[CitedQuote]
    notices: list[str] = Field(description="What the reader should know besides.")


class OpenCollection(_ToolResult):
    id: str = Field(description="Give it to `search` or `ask` in `collections`.")
    name: str
    description: str
    documents: int = Field(description="How many documents can be read.")


class OpenCollections(_ToolResult):
    collections: list[OpenCollection]
