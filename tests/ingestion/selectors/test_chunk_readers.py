"""What a process keeps of who may read which chunk is true for one state of a collection, and read once for it."""

import numpy as np
import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingestion.models import Collection, Document
from ingestion.selectors.clearance import clearance_of
from ingestion.selectors.opening import Opening
from ingestion.services.chunks import set_chunk_enabled
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from tests.conftest import AddDocument


@pytest.fixture
def closed(public: Collection, index: AddDocument) -> Document:
    document = index(public, "Protokół z narady zarządu.", name="protokol.txt")
    readers = Readers(groups=frozenset({Group.objects.create(name="Zarząd").pk}))
    set_document_rights(document=document, readers=readers, origin="source")
    return document


@pytest.fixture
def shown(public: Collection, index: AddDocument) -> Document:
    return index(public, "Urząd jest czynny.", name="godziny.txt")


def opening(viewer: User, collection: Collection) -> Opening:
    found = clearance_of(viewer, within=[collection.pk]).opening
    assert found
    return found


def chunks(*documents: Document) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([document.chunks.get().pk for document in documents], np.int64)


def test_chunks_of_others_are_closed_and_chunks_of_nobody_known_are_left_to_postgresql(
    public: Collection, closed: Document, shown: Document, employee: User, superuser: User
) -> None:
    asked = np.append(chunks(closed, shown), 999_999_999)
    assert opening(employee, public).opens(asked).tolist() == [False, True, True]
    assert opening(superuser, public).opens(asked).tolist() == [True, True, True]


def test_a_chunk_that_is_switched_off_is_closed_to_all(
    public: Collection, closed: Document, shown: Document, employee: User
) -> None:
    set_chunk_enabled(chunk=shown.chunks.get(), enabled=False)
    assert opening(employee, public).opens(chunks(shown)).tolist() == [False]


def test_it_is_read_once_for_a_state(public: Collection, closed: Document, shown: Document, employee: User) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as statements:
            opening(employee, public).opens(chunks(closed, shown))
        return len(statements)

    first, again = cost(), cost()
    assert first - again == 2  # who reads how many chunks, and which
    set_document_rights(document=closed, readers=None, origin="source")
    assert opening(employee, public).opens(chunks(closed)).tolist() == [True]
