"""Personal data covered in passages, before anybody reads them: reader, reranker or language model."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ingestion.library.privacy import KnownData, known_data
from ingestion.models import Collection
from ingestion.text.personal_data.masking import COVER, masked, masked_address, without_personal_data
from knowledgetree.postgres.prepared_statements import fetch
from rag.types import Passage, Place

_MASKS = "SELECT EXISTS (SELECT FROM ingestion_collection WHERE id = ANY(%s) AND mask_personal_data)"


def covered(passages: Sequence[Passage], collections: Iterable[Collection]) -> list[Passage]:
    """The passages, those of collections that mask personal data with these covered. No length changes, so that every
    offset and link stays exact.
    """
    masking = {collection.slug for collection in collections if collection.mask_personal_data}
    asked = [passage for passage in passages if passage.collection in masking]
    known = known_data([(passage.chunk_id, passage.start, passage.end) for passage in asked]) if asked else []
    shown = {id(passage): _covered(passage, found) for passage, found in zip(asked, known, strict=True)}
    return [shown.get(id(passage), passage) for passage in passages]


def loggable(text: str, collections: Sequence[Collection]) -> str:
    """What the audit log may have of a question that was looked up in `collections`: nothing where one of them masks
    personal data, for whomever; else all but the personal data.
    """
    asked = [collection.pk for collection in collections if collection.masks_for_some is None]
    masks = any(collection.masks_for_some for collection in collections)
    return "" if masks or (asked and fetch(_MASKS, [asked])[0][0]) else masked(text)


def searchable_elsewhere(question: str) -> str:
    """What a search engine on the web may have of a question: all but the personal data, perhaps nothing."""
    rest = without_personal_data(question)
    return rest if any(map(str.isalnum, rest)) else ""


def is_found_by_hidden_words(passage: Passage) -> bool:
    """The index is not covered: what a reader is not shown must not be found for them. Asked of explained passages."""
    why = passage.explanation
    seen = "\n".join([passage.title, *passage.heading_path, passage.text])
    return why.lexical_rank is not None and not why.words and COVER in seen


def _covered(passage: Passage, known: KnownData) -> Passage:
    """Where an editor changed the chunk's text the spans do not fit it; then the values do."""
    is_exact = len(passage.text) == passage.end - passage.start
    return replace(
        passage,
        title=masked(passage.title),
        uri=masked_address(passage.uri),
        text=masked(passage.text, known.spans if is_exact else (), known.values),
        heading_path=_all(passage.heading_path),
        context_before=masked(passage.context_before, values=known.values),
        context_after=masked(passage.context_after, values=known.values),
        tags=_all(passage.tags),
        places=tuple(_covered_place(place) for place in passage.places),
    )


def _covered_place(place: Place) -> Place:
    return replace(place, heading_path=_all(place.heading_path))


def _all(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(masked(text) for text in texts)
