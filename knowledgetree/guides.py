"""The program's guides as a collection of their own, with an assistant: the program answers questions about itself."""

import hashlib
import json
from collections.abc import Iterator

from ingestion.library.sample import GUIDES, described_uris
from ingestion.models import Collection, Document
from ingestion.services.files.arrivals import PLACE
from ingestion.services.files.samples import load_manifest
from rag.evaluation.datasets.shipped_sets import store_shipped_set
from rag.models import Assistant
from rag.selectors.assistants import HELP
from rag.services.choice import save_assistant

_SUGGESTIONS = (
    "Jak dodać wiele plików naraz?",
    "Jak zapytać o przepisy, które obowiązywały dawniej?",
    "Jak zrobić kopię zapasową?",
    "Kto widzi moje pytania?",
)


def load_guides(*, enqueue: bool = True) -> list[Document]:
    """Make the collection, its assistant and the questions that measure both; take in the guides that changed since.

    What an administrator changed in the collection or the assistant stays. With `enqueue` workers do the indexing.
    """
    documents = list(load_manifest(path=GUIDES, enqueue=enqueue))
    collection = Collection.objects.get(slug=HELP)
    _ensure_assistant(collection)
    store_shipped_set(HELP)
    return documents


def _ensure_assistant(collection: Collection) -> None:
    """Also where the collection was deleted meanwhile: an assistant without one would search everything."""
    described = {"name": "Pomoc", "description": collection.description, "suggestions": list(_SUGGESTIONS)}
    assistant = Assistant.objects.filter(slug=HELP).first() or Assistant(slug=HELP, **described)
    if not (assistant.pk and assistant.collections.exists()):
        save_assistant(assistant=assistant, collections=[collection])


def guides_are_shipped() -> bool:
    return GUIDES.is_file()


def guides_are_loaded() -> bool:
    """False too where an administrator deleted them: then they stay away until `knowledgetree load_guides`."""
    return Document.objects.filter(collection__slug=HELP, uri__in=described_uris(GUIDES)).exists()


def name_is_taken() -> bool:
    """Whether somebody has a collection of their own by that name, which is not for us to fill."""
    return Document.objects.filter(collection__slug=HELP).exists() and not guides_are_loaded()


def outdated_guides() -> int:
    """How many guides of this release are not as they were loaded; one that somebody archived is left alone."""
    if not (guides_are_shipped() and guides_are_loaded()):
        return 0
    stored = {document.uri: document for document in Document.objects.filter(collection__slug=HELP)}
    return sum(uri not in stored or _is_another(stored[uri], checksum) for uri, checksum in _shipped())


def _is_another(document: Document, checksum: str) -> bool:
    """Than the one that was loaded; what an editor put in its place since does not count."""
    loaded = document.given.get(PLACE, {}).get("checksum")
    return document.status != Document.Status.ARCHIVED and loaded != checksum


def _shipped() -> Iterator[tuple[str, str]]:
    manifest = json.loads(GUIDES.read_text(encoding="utf-8"))
    folder = GUIDES.parent / manifest["root"]
    for entry in (entry for collection in manifest["collections"] for entry in collection["documents"]):
        yield entry["path"], hashlib.sha256((folder / entry["path"]).read_bytes()).hexdigest()
