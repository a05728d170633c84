import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from ingestion.models import Chunk, Posting
from tests.ingestion.api.library import Library


@pytest.fixture
def chunk(library: Library) -> Chunk:
    return library.ready["public"].chunks.get()


def test_an_edited_chunk_is_found_by_its_new_words(library: Library, chunk: Chunk) -> None:
    address = reverse("admin:ingestion_chunk_change", args=[chunk.pk])
    library.client("editor").post(address, {"text": "Dodatek stażowy wynosi 5%.", "enabled": "on"})
    chunk.refresh_from_db()
    assert chunk.text == "Dodatek stażowy wynosi 5%."
    words = set(Posting.objects.filter(chunk=chunk).values_list("term__text", flat=True))
    assert "dodatek" in words
    assert "wymiar" not in words


def test_chunks_are_taken_out_of_search_and_back(library: Library, chunk: Chunk) -> None:
    client, address = library.client("editor"), reverse("admin:ingestion_chunk_changelist")
    client.post(address, {"action": "switch_off", "_selected_action": [chunk.pk]})
    assert not Posting.objects.filter(chunk=chunk).exists()
    client.post(address, {"action": "switch_on", "_selected_action": [chunk.pk]})
    assert Posting.objects.filter(chunk=chunk).exists()


def test_a_blank_text_is_refused(library: Library, chunk: Chunk) -> None:
    address = reverse("admin:ingestion_chunk_change", args=[chunk.pk])
    library.client("editor").post(address, {"text": " ", "enabled": "on"})
    before = chunk.text
    chunk.refresh_from_db()
    assert chunk.text == before


def test_looking_is_not_editing(library: Library, chunk: Chunk) -> None:
    library.viewers["editor"].user_permissions.set(Permission.objects.filter(codename="view_chunk"))
    client, address = library.client("editor"), reverse("admin:ingestion_chunk_change", args=[chunk.pk])
    assert client.get(address).status_code == 200
    assert client.post(address, {"text": "x"}).status_code == 403


def test_a_document_leads_to_its_chunks(library: Library, chunk: Chunk) -> None:
    client = library.client("editor")
    page = client.get(reverse("admin:ingestion_document_change", args=[chunk.document_id])).content.decode()
    address = f"{reverse('admin:ingestion_chunk_changelist')}?document__id__exact={chunk.document_id}"
    assert address in page
    assert client.get(address).context["cl"].result_count == 1
