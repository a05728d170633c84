"""The register of personal data: what the program sees of each collection, beside what an editor entered."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from ingestion.admin.access.readers import in_words
from ingestion.models import Collection, Document, Erasure, PersonalData
from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.privacy.retention import overdue_documents


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFound:
    """Personal data of one kind in a collection: in so many `places` of so many `documents`."""

    name: str
    places: int
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEntry:
    """A collection in the register. `documents` are all that it has, `own_readers` those with readers of their own,
    `overdue` those whose term is over, `erased` those that were erased with proof.
    """

    collection: Collection
    kinds: tuple[KindFound, ...]
    documents: int
    own_readers: int
    readers: str
    record: ProcessingRecord | None
    overdue: int
    erased: int

    @property
    def is_missing(self) -> bool:
        """Whether there are personal data and nobody entered why."""
        return bool(self.kinds) and self.record is None


def register(viewer: Viewer) -> list[RegisterEntry]:
    """Every collection that `viewer` may read, by name."""
    kinds = _kinds()
    records = {record.collection_id: record for record in ProcessingRecord.objects.select_related("noted_by")}
    documents = dict(_counted(Q()))
    own = dict(_counted(Q(readership__isnull=False)))
    erased = dict(Erasure.objects.values_list("collection").annotate(n=Count("pk")))
    return [
        RegisterEntry(
            collection=collection,
            kinds=tuple(kinds.get(collection.pk, ())),
            documents=documents.get(collection.pk, 0),
            own_readers=own.get(collection.pk, 0),
            readers=in_words(collection, viewer=viewer),
            record=(record := records.get(collection.pk)),
            overdue=overdue_documents(record).count() if record else 0,
            erased=erased.get(collection.pk, 0),
        )
        for collection in visible_collections(viewer).order_by("name")
    ]


def _counted(condition: Q) -> list[tuple[int, int]]:
    return list(Document.objects.filter(condition).values_list("collection").annotate(n=Count("pk")))


def _kinds() -> Mapping[int, list[KindFound]]:
    found = defaultdict(list)
    rows = PersonalData.objects.values_list("document__collection", "kind").annotate(
        places=Count("pk"), documents=Count("document", distinct=True)
    )
    for collection, kind, places, documents in rows.order_by("document__collection", "-places"):
        name = str(PersonalData.Kind(kind).label) if kind in PersonalData.Kind.values else _("other")
        found[collection].append(KindFound(name=name, places=places, documents=documents))
    return found
