"""What the index and the stored texts say, whoever asks: only for what a rule of `access` has opened."""

from collections.abc import Iterable

from django.db import connection

from ingestion.models import Document, Extraction
from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.prepared_statements import fetch

_TERM_KEYS = """
SELECT text, id FROM ingestion_term WHERE text = ANY(%s)
UNION SELECT text, id FROM ingestion_term WHERE id = ANY(%s::int[])
"""


def indexed_lemmas(forms: Iterable[str]) -> dict[str, str]:
    """The lemmas of forms, as the index has them; forms that it lacks are missing."""
    with connection.cursor() as cursor:
        # Hundreds of words as one string: written as an array they cost more than the query. No form has a space.
        cursor.execute(
            "SELECT text, lemma FROM ingestion_term WHERE text = ANY(string_to_array(%s, ' ')) AND lemma <> ''",
            [" ".join(forms)],
        )
        return dict(cursor.fetchall())


def term_keys(texts: Iterable[str], keys: Iterable[int]) -> dict[str, int]:
    """The keys by their text of the terms that are one of `texts` or have one of `keys`."""
    return dict(fetch(_TERM_KEYS, [list(texts), list(keys)]))


def document_text(document: Document, *, extractor: str = "") -> Extraction | None:
    """The text that citations point into: the document's, or the one that `extractor` read beside it."""
    texts = document_texts(document)
    return next((text for text in texts if text.extractor == extractor), texts[0] if texts else None)


def document_texts(document: Document) -> list[Extraction]:
    """The document's text, and after it the one that a second extractor read, where there is one."""
    return list(document.extractions.order_by("pk"))


def configured_model(embedder: str) -> str:
    """The model that the settings give to `embedder`. Where its options name one, nothing heavy is loaded."""
    declared = rag_settings().components.get("embedders", {}).get(embedder)
    named = declared.options.get("model") if declared else None
    return str(named or component("embedders", embedder).name)
