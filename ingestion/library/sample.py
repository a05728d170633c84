"""The sample knowledge base that comes with the program, told apart from documents of one's own."""

import json
from functools import lru_cache

from django.conf import settings
from django.db.models import QuerySet

from ingestion.models import Document

MANIFEST = settings.BASE_DIR / "fixtures/urzad/manifest.json"


@lru_cache(maxsize=1)
def sample_uris() -> frozenset[str]:
    """The addresses that its documents are stored under; none where it does not come with this installation."""
    if not MANIFEST.is_file():
        return frozenset()
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return frozenset(entry["path"] for collection in manifest["collections"] for entry in collection["documents"])


def own_documents(documents: QuerySet[Document]) -> QuerySet[Document]:
    """Those of `documents` that are not the sample's."""
    return documents.exclude(uri__in=sample_uris())


def is_only_sample(documents: QuerySet[Document]) -> bool:
    """Whether there are documents, and none but the sample's."""
    return documents.filter(uri__in=sample_uris()).exists() and not own_documents(documents).exists()
