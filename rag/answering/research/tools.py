"""What a model may do while it looks for evidence. Each tool reads only what the asker may read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from ingestion.models import Document
from ingestion.selectors import document_text
from rag.llm.prompts.untrusted import neutralise
from rag.question import Question
from rag.search.masking import covered
from rag.types import Passage, ToolSpec

SEARCH = ToolSpec(
    name="search",
    description="Search the organisation's documents. One topic at a time, in the language of the documents.",
    schema={
        "type": "object",
        "properties": {"query": {"type": "string", "description": "A question or keywords."}},
        "required": ["query"],
    },
)
OPEN = ToolSpec(
    name="open_document",
    description="Read on in a document that a search has found, around one of its passages.",
    schema={
        "type": "object",
        "properties": {"passage": {"type": "integer", "description": "Number of a passage, as the search gave it."}},
        "required": ["passage"],
    },
)
CALCULATE = ToolSpec(
    name="calculate",
    description="Work out an arithmetic expression with numbers from the passages, such as 1200 * 0.23.",
    schema={"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]},
)
TOOLS = (SEARCH, OPEN, CALCULATE)

_REACH = 2_000  # characters on either side of the passage


class ToolFailed(Exception):
    """Said to the model, which may try something else."""


def text_argument(arguments: Mapping[str, Any], name: str) -> str:
    """A model's argument as a text of at most 500 characters. Raises ToolFailed."""
    value = str(arguments.get(name, "")).replace("\x00", "").strip()
    if not value:
        raise ToolFailed(f"{name} is missing.")
    return value[:500]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """The passages found so far, by the number under which the model knows them, counted from 1."""

    passages: list[Passage]

    def put(self, found: tuple[Passage, ...]) -> list[int]:
        """Their numbers; one that is known keeps its number."""
        return [self._number(passage) for passage in found]

    def _number(self, passage: Passage) -> int:
        for number, known in enumerate(self.passages, start=1):
            if (known.uri, known.start, known.end) == (passage.uri, passage.start, passage.end):
                return number
        self.passages.append(passage)
        return len(self.passages)

    def passage(self, arguments: Mapping[str, Any]) -> Passage:
        """The one that the model means. Raises ToolFailed."""
        number = arguments.get("passage")
        if not isinstance(number, int) or not 1 <= number <= len(self.passages):
            raise ToolFailed(f"There is no passage {number!r}; known are 1 to {len(self.passages)}.")
        return self.passages[number - 1]


def shown(number: int, passage: Passage) -> str:
    """A passage for the model: untrusted text that cannot end its block."""
    heading = neutralise(" › ".join((passage.title, *passage.heading_path)))
    return f'<passage number="{number}">\n{heading}\n{neutralise(passage.text)}\n</passage>'


def surroundings(passage: Passage, question: Question) -> Passage:
    """The passage with the text around it. Raises ToolFailed where the document may not be read, or is gone."""
    within = Document.of_all_times.readable().filter(collection__in=question.collections)
    document = within.filter(pk=passage.document_id).first()
    readable = document is not None and question.clearance.opens(document)
    extraction = document_text(document, extractor=passage.extractor) if document and readable else None
    if extraction is None:
        raise ToolFailed(_("This document cannot be opened."))
    return covered([widened(passage, extraction.text)], question.collections)[0]


def widened(passage: Passage, text: str) -> Passage:
    """`passage` reaching to the ends of the paragraphs that lie about 2,000 characters on either side."""
    start = text.rfind("\n\n", 0, max(0, passage.start - _REACH)) + 2 if passage.start > _REACH else 0
    stop = text.find("\n\n", passage.end + _REACH)
    end = stop if stop >= 0 else len(text)
    return replace(
        passage,
        text=text[start:end],
        start=start,
        end=end,
        line_start=text.count("\n", 0, start) + 1,
        line_end=text.count("\n", 0, max(start, end - 1)) + 1,
        places=(),
    )
