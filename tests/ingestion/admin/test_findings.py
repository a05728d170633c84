"""Near-duplicates, personal data and erasure in the admin, within what the editor may see."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from ingestion.models import Chunk, Document, Erasure
from ingestion.services.chunks import edit_chunk
from tests.ingestion.api.library import Library, ready_document

LIST = "admin:ingestion_document_changelist"
TEXT = "# Kontakt\n\nSprawy kadrowe prowadzi Anna Nowak, pokój dwanaście, tel. 22 123 45 67, PESEL 44051401359.\n"


@pytest.fixture
def document(library: Library) -> Document:
    return ready_document(library.collections["public"], TEXT, name="kontakt.md")


def listed(library: Library, **filters: str) -> set[str]:
    response = library.client("editor").get(reverse(LIST, query=filters))
    return {row.uri for row in response.context["cl"].result_list}


def page(library: Library, document: Document) -> str:
    return library.client("editor").get(reverse("admin:ingestion_document_change", args=[document.pk])).content.decode()


def test_documents_are_filtered_by_what_was_found_in_them(library: Library, document: Document) -> None:
    assert listed(library, personal_data="any") == {"kontakt.md"}
    assert listed(library, personal_data="pesel") == {"kontakt.md"}
    assert listed(library, personal_data="iban") == set()
    assert "kontakt.md" not in listed(library, personal_data="none")


def test_a_near_duplicate_is_shown_with_its_percentage(library: Library, document: Document) -> None:
    copy = ready_document(library.collections["internal"], TEXT, name="kopia.md")
    assert f"100% like: {copy.title}" in page(library, document).replace("100% jak:", "100% like:")
    assert listed(library, similar="same") >= {"kontakt.md", "kopia.md"}


def test_a_duplicate_in_a_hidden_collection_is_not_shown(library: Library, document: Document) -> None:
    ready_document(library.collections["restricted"], TEXT, name="tajny-tytul.md")
    assert document.similar.exists()
    assert "tajny-tytul" not in page(library, document)
    assert "kontakt.md" not in listed(library, similar="yes")


def test_erasing_asks_first_and_leaves_a_record(library: Library, document: Document) -> None:
    client, sent = library.client("editor"), {"action": "erase", "_selected_action": [document.pk]}
    asked = client.post(reverse(LIST), sent)
    assert asked.status_code == 200
    assert document.title in asked.content.decode()
    assert Document.objects.filter(pk=document.pk).exists()
    client.post(reverse(LIST), {**sent, "confirmed": "yes"})
    assert not Document.objects.filter(pk=document.pk).exists()
    erasure = Erasure.objects.get()
    assert erasure.erased_by == library.viewers["editor"]
    records = library.client("superuser").get(reverse("admin:ingestion_erasure_changelist")).content.decode()
    assert str(erasure.document_number) in records
    assert document.title not in records


def test_who_may_not_delete_does_not_erase(library: Library, document: Document) -> None:
    allowed = Permission.objects.filter(codename__in=["view_document", "change_document"])
    library.viewers["editor"].user_permissions.set(allowed)  # type: ignore[union-attr]
    sent = {"action": "erase", "_selected_action": [document.pk], "confirmed": "yes"}
    library.client("editor").post(reverse(LIST), sent)
    assert Document.objects.filter(pk=document.pk).exists()


def chunks(library: Library, **filters: object) -> set[int]:
    response = library.client("editor").get(reverse("admin:ingestion_chunk_changelist", query=filters))
    return {row.pk for row in response.context["cl"].result_list}


def test_chunks_are_filtered_by_quality_edit_and_repetition(library: Library, document: Document) -> None:
    copy = ready_document(library.collections["public"], TEXT, name="kopia.md")
    own, same = document.chunks.get(), copy.chunks.get()
    Chunk.objects.filter(pk=own.pk).update(retrieval_quality="LOW")
    assert chunks(library, quality="LOW") == {own.pk}
    assert own.pk not in chunks(library, quality="none")
    assert {own.pk, same.pk} <= chunks(library, repeated="yes")
    edit_chunk(chunk=own, text="Zupełnie inny tekst o czymś innym.")
    assert chunks(library, edited="yes") == {own.pk}
    assert own.pk not in chunks(library, repeated="yes")


def test_chunks_of_a_document_are_filtered_by_page(library: Library, document: Document) -> None:
    Chunk.objects.filter(document=document).update(page_start=2, page_end=3)
    [chunk] = document.chunks.values_list("pk", flat=True)
    of_document = {"document__id__exact": document.pk}
    assert chunks(library, **of_document, page_of_document=2) == {chunk}
    assert chunks(library, **of_document, page_of_document=3) == {chunk}
    assert chunks(library, **of_document, page_of_document=4) == set()


def test_what_was_searched_for_is_marked_and_nothing_else_is_markup(library: Library) -> None:
    text = "# <script>\n\n" + "Wstęp. " * 60 + "Tu stoi <b>delegacja</b> służbowa.\n"
    ready_document(library.collections["public"], text, name="del.md")
    address = reverse("admin:ingestion_chunk_changelist", query={"q": "DELEGACJA"})
    shown = library.client("editor").get(address).content.decode()
    assert "&lt;b&gt;<mark>delegacja</mark>&lt;/b&gt;" in shown


def test_an_edit_is_taken_back_from_the_chunk_page(library: Library, document: Document) -> None:
    chunk = document.chunks.get()
    says = chunk.text
    edit_chunk(chunk=chunk, text="Inny tekst.")
    client = library.client("editor")
    shown = client.get(reverse("admin:ingestion_chunk_change", args=[chunk.pk])).content.decode()
    assert reverse("admin:ingestion_chunk_revert", args=[chunk.pk]) in shown
    assert "Sprawy kadrowe prowadzi" in shown
    client.post(reverse("admin:ingestion_chunk_revert", args=[chunk.pk]))
    chunk.refresh_from_db()
    assert (chunk.text, chunk.edited) == (says, False)


def test_the_neighbours_of_a_chunk_are_shown(library: Library) -> None:
    rule = "Pracownik składa wniosek do kierownika w terminie siedmiu dni. " * 12
    text = "".join(f"# Dział {n}\n\n{rule}\n\n" for n in range(3))
    first, middle, last = ready_document(library.collections["public"], text, name="d.md").chunks.order_by("ordinal")
    shown = library.client("editor").get(reverse("admin:ingestion_chunk_change", args=[middle.pk])).content.decode()
    for neighbour in (first, last):
        assert reverse("admin:ingestion_chunk_change", args=[neighbour.pk]) in shown
