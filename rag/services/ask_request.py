"""Everything that a caller may say about a question."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ingestion.models.viewers import Viewer
from rag.models import Conversation
from rag.question import Turn
from rag.types import Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRequest:
    """`assistant` and `preset` are names, `parts` replace single parts of the preset; empty: the default ones.

    `conversation` is continued: its last questions are known to this one; `history`, oldest first, is known instead
    where the caller remembers a conversation that is not kept here. `session_key` is whose new conversation is,
    where the viewer is anonymous; without `save` nothing is kept. Without `cached` the answer is worked out anew, and
    not given to others: a measurement must not measure an earlier answer. `again`: asked once more, so what came of it
    before is neither given again nor known. `language` is that of the answer where the
    question does not tell. `page` is the text of the page that the reader is on. Passages of less than `min_relevance`
    (0 to 1) do not count; `top_k` (1 to 100) and `max_tokens` (of the answer) None: what suits. Without `synthesize`
    the passages are all there is.
    """

    question: str
    viewer: Viewer
    filters: Filters = field(default_factory=Filters)
    conversation: Conversation | None = None
    history: tuple[Turn, ...] = ()
    session_key: str = ""
    language: str = "pl"
    assistant: str = ""
    preset: str = ""
    parts: Mapping[str, Any] = field(default_factory=dict)
    top_k: int | None = None
    min_relevance: float | None = None
    max_tokens: int | None = None
    page: str = ""
    synthesize: bool = True
    save: bool = True
    cached: bool = True
    again: bool = False
