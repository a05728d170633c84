"""Other ways to split a collection, tried in copies of it that no reader ever sees."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.db.models.functions import Length

from ingestion.chunking.splitting import Chunking, chunking_of, stored_chunking
from ingestion.index.writing import refresh_planner_statistics
from ingestion.models import Collection, Document
from ingestion.renewal.rechunking.state import stored_in_words
from ingestion.renewal.trial_copies import fill_copy
from ingestion.services.documents import delete_copy
from ingestion.services.rechunking import Wish, check_chunking, start_rechunking
from knowledgetree.conf import rag_settings

_FOR_ANY_TEXT = ("adaptive", "recursive", "markdown", "legal", "semantic")
"""Others split one kind of text alone, which `adaptive` knows to give them."""

_BATCH = 50  # copies deleted in a transaction


class CopiesOnTrial:
    """`ingestion.types.ChunkingTrials` with collections beside those that serve, in the same database."""

    def in_force(self, collection: int) -> Mapping[str, Any]:
        of = Collection.objects.get(pk=collection)
        return chunking_of(of, rag_settings().ingestion.chunking).stored()

    def chunkers(self) -> Sequence[str]:
        declared = rag_settings().components.get("chunkers", {})
        return [name for name in _FOR_ANY_TEXT if name in declared]

    def in_words(self, chunking: Mapping[str, Any]) -> str:
        return stored_in_words(chunking)

    def documents(self, collections: Sequence[int], *, wanted: Callable[[str], bool], characters: int) -> list[int]:
        rows = Document.objects.readable().filter(collection__in=collections, chunk_count__gt=0)
        sizes = rows.annotate(length=Sum(Length("extractions__text"))).values_list("pk", "uri", "length")
        drawn = sorted(sizes, key=lambda row: (not wanted(row[1]), sha256(row[1].encode()).digest()))
        return sorted(_within(drawn, characters))

    def fill(
        self,
        collection: int,
        chunking: Mapping[str, Any],
        documents: Sequence[int],
        *,
        search: int,
        goes_on: Callable[[], bool],
    ) -> int | None:
        copy = _ensure_copy(Collection.objects.get(pk=collection), chunking, search)
        if not fill_copy(copy, documents, goes_on):
            return None
        refresh_planner_statistics()
        key: int = copy.pk
        return key

    def remove(self, copies: Sequence[int], *, vectors: bool = False) -> None:
        for copy in Collection.with_archives.filter(pk__in=copies, trial_of__isnull=False):
            while _delete_some(copy, vectors=vectors):
                pass
            copy.delete()

    def change(self, collections: Sequence[int], chunking: Mapping[str, Any], *, gate: str) -> int:
        wished = stored_chunking(chunking)
        assert wished is not None  # noqa: S101  for the type checker
        wish = Wish(
            chunker=wished.chunker, chunk_size=wished.chunk_size, overlap=wished.overlap, options=wished.options
        )
        own = list(Collection.objects.filter(pk__in=collections).order_by("pk"))
        key: int = start_rechunking(collections=own, wish=wish, gate=gate).pk
        return key


def _ensure_copy(collection: Collection, chunking: Mapping[str, Any], search: int) -> Collection:
    """Without readers and unknown to `Collection.objects`; its identifier is none that a person could give. Raises
    RechunkingError for a chunking that cannot be.
    """
    check_chunking(Chunking(**chunking))
    told = f"{collection.pk} {sorted(chunking.items())}"
    copy, _is_new = Collection.with_archives.get_or_create(
        slug=f"~trial-{search}-{sha256(told.encode()).hexdigest()[:16]}",
        defaults={
            "name": collection.name,
            "trial_of": collection,
            "tried_by": search,
            "chunking": dict(chunking),
            "visibility": Collection.Visibility.RESTRICTED,
            "mask_personal_data": collection.mask_personal_data,
            "preset": collection.preset,
            "lemma_weight": collection.lemma_weight,
            "form_weight": collection.form_weight,
        },
    )
    return copy


@transaction.atomic
def _delete_some(copy: Collection, *, vectors: bool) -> bool:
    """Whether there were any."""
    documents = list(Document.of_all_times.filter(collection=copy).order_by("pk")[:_BATCH])
    for document in documents:
        delete_copy(document, vectors=vectors)
    return bool(documents)


def _within(sizes: Sequence[tuple[int, str, int | None]], characters: int) -> Iterator[int]:
    for key, _uri, length in sizes:
        if characters <= 0:
            return
        characters -= length or 0
        yield key
