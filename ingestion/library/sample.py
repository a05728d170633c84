"""What comes with the program, told apart from documents of one's own: the sample knowledge base and the guides."""

import json
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from ingestion.models import Document
from knowledgetree.places import shipped

MANIFEST = settings.FIXTURES_DIR / "urzad/manifest.json"
"""The fictional office."""

GUIDES = shipped("docs/przewodnik") / "pomoc.json"
"""The program's own guides."""


@lru_cache(maxsize=2)
def described_uris(manifest: Path) -> frozenset[str]:
    """The addresses that the documents of `manifest` are stored under; none where it does not come with this
    installation.
    """
    if not manifest.is_file():
        return frozenset()
    described = json.loads(manifest.read_text(encoding="utf-8"))
    return frozenset(entry["path"] for collection in described["collections"] for entry in collection["documents"])


def without_guides(documents: QuerySet[Document]) -> QuerySet[Document]:
    """Those of `documents` that are not about the program itself."""
    return documents.exclude(uri__in=described_uris(GUIDES))


def own_documents(documents: QuerySet[Document]) -> QuerySet[Document]:
    """Those of `documents` that did not come with the program."""
    return without_guides(documents).exclude(uri__in=described_uris(MANIFEST))


def is_only_sample(documents: QuerySet[Document]) -> bool:
    """Whether there are documents of the fictional office, and none of one's own."""
    return documents.filter(uri__in=described_uris(MANIFEST)).exists() and not own_documents(documents).exists()
