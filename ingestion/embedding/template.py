"""The text that is embedded for a chunk. A space keeps the version it was built with."""

import json
from collections.abc import Callable

from ingestion.types import ChunkDraft


def _plain(draft: ChunkDraft, title: str) -> str:
    """Version 0, for embedders that count words: nothing but the words."""
    return "\n".join([title, *draft.heading_path, draft.text])


def _contextual(draft: ChunkDraft, title: str) -> str:
    """Version 1, for language models: the chunk in its surroundings."""
    meta = json.dumps({"title": title, "headings": list(draft.heading_path)}, ensure_ascii=False)
    parts = (f"[META] {meta} [/META]", draft.context_before, f"[MAIN] {draft.text} [/MAIN]", draft.context_after)
    return " ".join(part for part in parts if part)


_TEMPLATES: dict[int, Callable[[ChunkDraft, str], str]] = {0: _plain, 1: _contextual}


def embedded_text(draft: ChunkDraft, *, title: str, version: int) -> str:
    """Raises KeyError for a version that no release of KnowledgeTree has had."""
    return _TEMPLATES[version](draft, title)
