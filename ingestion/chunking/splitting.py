"""How the texts of a collection are split: by which chunker, in which sizes; and the splitting itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ingestion.chunking import VERSION
from ingestion.chunking.context import locate
from ingestion.chunking.protocol import Chunker
from ingestion.models import Collection
from ingestion.types import ChunkDraft, ExtractedText
from knowledgetree.components import component
from knowledgetree.conf import ChunkingSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """A chunker by its name in the settings, its sizes in estimated tokens, and what else its constructor gets."""

    chunker: str
    chunk_size: int
    overlap: int
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def stored(self) -> dict[str, Any]:
        """As JSON; `stored_chunking` reads it back."""
        return {
            "chunker": self.chunker,
            "chunk_size": self.chunk_size,
            "overlap": self.overlap,
            "options": dict(self.options),
        }

    def build(self) -> Chunker:
        """Raises ImproperlyConfigured for a chunker or an option that is not there, ValueError for a wrong value."""
        sizes = {"chunk_size": self.chunk_size, "overlap": self.overlap}
        chunker: Chunker = component("chunkers", self.chunker, {**self.options, **sizes})
        return chunker


def stored_chunking(stored: Mapping[str, Any]) -> Chunking | None:
    """What `stored` says, whatever else stands in it; None where it says nothing."""
    if not stored:
        return None
    return Chunking(**{name: stored[name] for name in ("chunker", "chunk_size", "overlap", "options")})


def settings_chunking(slug: str, settings: ChunkingSettings) -> Chunking:
    """What the settings say of the collection `slug`, or of all."""
    chunker = settings.collections.get(slug, settings.chunker)
    return Chunking(chunker=chunker, chunk_size=settings.chunk_size, overlap=settings.overlap)


def chunking_of(collection: Collection, settings: ChunkingSettings) -> Chunking:
    """The chunking in force: the one that the collection was given, else the settings'."""
    return stored_chunking(collection.chunking) or settings_chunking(collection.slug, settings)


def mark(chunking: Chunking, settings: ChunkingSettings) -> dict[str, Any]:
    """All that decides how a text is split, as a document notes it: equal marks give equal chunks of a text."""
    return {**chunking.stored(), "context_sentences": settings.context_sentences, "version": VERSION}


def split(extracted: ExtractedText, chunking: Chunking, settings: ChunkingSettings) -> list[ChunkDraft]:
    """The text's chunks, in reading order."""
    return locate(extracted, chunking.build().split(extracted), sentences=settings.context_sentences)
