"""KnowledgeTree through `rag.services.search`, as everybody who searches calls it."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from corpus import Entry

ROOT = Path(__file__).parents[2]


class KnowledgeTreeSearch:
    """Indexes into a collection of the configured database (`DATABASE_URL`, or the embedded one under `VAR_DIR`)."""

    def __init__(self, entries: Sequence[Entry], *, name: str) -> None:
        self._set_up()
        from ingestion.models import Collection
        from ingestion.selectors import operator
        from ingestion.services.corpora import CorpusEntry, index_corpus
        from rag.evaluation.version import program_version

        self.version = program_version()
        self._viewer = operator()
        self._collection, _ = Collection.objects.get_or_create(
            slug=f"eval-{name}".replace("_", "-").lower()[:80], defaults={"name": f"Ewaluacja: {name}"}
        )
        index_corpus(
            collection=self._collection,
            entries=[CorpusEntry(uri=entry.key, title=entry.title, text=entry.text) for entry in entries],
        )

    def search(self, question: str, depth: int) -> list[str]:
        """By document: of several passages of one, the best counts. More are asked for, so that `depth` remain."""
        from rag.services.search import search_passages
        from rag.types import Filters

        filters = Filters(collections=(self._collection.slug,))
        found = search_passages(query=question, viewer=self._viewer, filters=filters, top_k=min(100, depth * 5))
        return list(dict.fromkeys(passage.uri for passage in found.passages))[:depth]

    @staticmethod
    def _set_up() -> None:
        sys.path.insert(0, str(ROOT))
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
