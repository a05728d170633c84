"""The language that documents are written in, by their texts: a document is noted as Polish until somebody says."""

from collections import Counter
from collections.abc import Sequence

from django.core.cache import cache
from django.db.models.functions import Left

from ingestion.models import Chunk, Collection
from ingestion.selectors.knowledge_version import knowledge_version
from rag.understanding.language import question_language

_DOCUMENTS = 40
_CHARACTERS = 600
_KEPT_SECONDS = 3600


def documents_language(collections: Sequence[Collection]) -> str:
    """That of most of the first documents of `collections`, as in `question_language`; "" where nothing tells."""
    keys = sorted(collection.pk for collection in collections)
    key = "documents_language:" + "-".join(map(str, [knowledge_version(keys), *keys]))
    known: str | None = cache.get(key)
    if known is None:
        known = _most_spoken(keys)
        cache.set(key, known, _KEPT_SECONDS)
    return known


def _most_spoken(collections: Sequence[int]) -> str:
    chunks = Chunk.objects.filter(collection__in=collections, ordinal=0).order_by("document_id")
    texts = chunks.values_list(Left("text", _CHARACTERS), flat=True)[:_DOCUMENTS]
    spoken = Counter(filter(None, (question_language(text, "") for text in texts)))
    return spoken.most_common(1)[0][0] if spoken else ""
