"""A knowledge base described by a manifest, such as the sample in `fixtures/urzad`."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group

from ingestion.models import Collection, Document, GlossaryEntry, SynonymGroup
from ingestion.services.documents import add_document
from ingestion.services.synonyms import save_glossary_entry, save_group


def load_manifest(*, path: Path, enqueue: bool = True) -> Iterator[Document]:
    """Create or update the collections and documents of `path`; each document waits for its job when it is yielded.

    Loading again changes only what the manifest or a file changed. Files lie beside the manifest, or below its `root`.
    """
    manifest = json.loads(path.read_text(encoding="utf-8"))
    folder = path.parent / manifest.get("root", "")
    for described in manifest["collections"]:
        collection = _store_collection(described)
        for entry in described["documents"]:
            file = folder / entry["path"]
            yield add_document(
                collection=collection,
                name=file.name,
                content=file.read_bytes(),
                uri=entry["path"],
                place=str(file.resolve()),
                title=entry["title"],
                category=entry["category"],
                tags=entry["tags"],
                version=entry["version"],
                valid_from=_date(entry["valid_from"]),
                valid_to=_date(entry["valid_to"]),
                language=entry["language"],
                enqueue=enqueue,
            )


def load_words(*, path: Path) -> None:
    """Create the glossary and the synonyms of the manifest at `path`; what is there stays as an editor left it."""
    words = json.loads(path.read_text(encoding="utf-8")).get("words", {})
    collections = {collection.slug: collection for collection in Collection.objects.all()}
    for entry in words.get("glossary", ()):
        collection = collections[entry["collection"]]
        if not GlossaryEntry.objects.filter(term=entry["term"], collection=collection).exists():
            described = {key: entry[key] for key in ("term", "definition", "aliases", "kind")}
            save_glossary_entry(entry=GlossaryEntry(collection=collection, **described))
    for group in words.get("synonyms", ()):
        collection, name = collections[group["collection"]], group["words"][0]
        if not SynonymGroup.objects.filter(name=name, collection=collection).exists():
            save_group(group=SynonymGroup(name=name, collection=collection), words=group["words"])


def _store_collection(described: dict[str, Any]) -> Collection:
    """Who reads it is settled when it is made: afterwards that is for administrators."""
    named = {key: described[key] for key in ("name", "description")}
    collection, created = Collection.objects.update_or_create(
        slug=described["slug"],
        defaults=named,
        create_defaults=named
        | {
            "visibility": described["visibility"],
            "only_when_chosen": described.get("only_when_chosen", False),
        },
    )
    if created:
        groups = [Group.objects.get_or_create(name=name)[0] for name in described.get("groups", [])]
        collection.groups.set(groups)
    return collection


def _date(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
