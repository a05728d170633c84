"""What editors did to chunks, carried over where the document is read again and still says there what it said."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Q

from ingestion.models import Chunk, Document

CHANGED_BY_HAND = Q(enabled=False) | ~Q(original_text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkEdit:
    """Edits the chunk that `says` this in the text of `extractor`: the editor's `text`, and whether it is searched."""

    extractor: str
    says: str
    text: str
    enabled: bool


def chunk_edits(document: Document) -> list[ChunkEdit]:
    """In the order of the text."""
    rows = Chunk.objects.filter(CHANGED_BY_HAND, document=document).order_by("extraction_id", "ordinal")
    return [
        ChunkEdit(extractor=extractor, says=original or text, text=text, enabled=enabled)
        for extractor, original, text, enabled in rows.values_list(
            "extraction__extractor", "original_text", "text", "enabled"
        )
    ]


def carried_over(edits: Sequence[ChunkEdit], chunks: Sequence[tuple[str, str]]) -> Iterator[ChunkEdit | None]:
    """For each chunk, given as (extractor, text), the edit it inherits; each edit is inherited once."""
    waiting: dict[tuple[str, str], list[ChunkEdit]] = defaultdict(list)
    for edit in edits:
        waiting[edit.extractor, edit.says].append(edit)
    for chunk in chunks:
        yield waiting[chunk].pop(0) if waiting.get(chunk) else None
