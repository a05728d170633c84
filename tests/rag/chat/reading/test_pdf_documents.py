"""The page that shows a PDF: who gets it, and what it tells the script that draws."""

from typing import Any

from django.test import Client

from ingestion.models import Collection, Document
from tests.conftest import AddDocument
from tests.rag.chat.reading.test_page_images import cited, document, kept_document

__all__ = ["document", "kept_document"]


def viewer(client: Client, document: Document, query: str = "") -> Any:
    return client.get(f"/documents/{document.pk}/pdf/?{query}")


def query_of(document: Document, quote: str) -> str:
    return cited(document, quote).partition("?")[2].partition("#")[0]


def test_it_opens_at_the_cited_page_with_its_words_marked(client: Client, document: Document) -> None:
    page = viewer(client, document, query_of(document, "Wniosek o urlop")).content.decode()
    assert 'data-page="2"' in page.partition("<main")[2].partition(">")[0]
    assert page.count('<svg class="page-marks" data-page="2"') == 1
    assert "<rect" in page


def test_a_passage_over_two_pages_is_marked_on_both(client: Client, document: Document) -> None:
    text = document.extractions.get().text
    quote = text[text.index("trwa 26") : text.index(" składa się")]
    page = viewer(client, document, query_of(document, quote)).content.decode()
    assert [page.count(f'<svg class="page-marks" data-page="{number}"') for number in (1, 2)] == [1, 1]
    assert page.count('id="cytat"') == 1


def test_another_page_can_be_named(client: Client, document: Document) -> None:
    query = query_of(document, "26 dni")
    assert 'data-page="2"' in viewer(client, document, f"{query}&page=2").content.decode().partition("<main")[2]
    assert 'data-page="1"' in viewer(client, document, "page=x").content.decode()


def test_marks_of_another_file_are_not_shown_on_this_one(client: Client, document: Document) -> None:
    query = query_of(document, "26 dni")
    document.extractions.update(checksum="2" * 64)
    assert "<rect" not in viewer(client, document, query).content.decode()


def test_where_personal_data_are_covered_there_is_no_pdf(
    client: Client, document: Document, public: Collection
) -> None:
    assert "/pdf/" in client.get(f"/documents/{document.pk}/").content.decode()
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    assert viewer(client, document).status_code == 403
    assert "/pdf/" not in client.get(f"/documents/{document.pk}/").content.decode()


def test_who_may_not_read_a_document_finds_none(client: Client, document: Document, public: Collection) -> None:
    Collection.objects.filter(pk=public.pk).update(visibility=Collection.Visibility.RESTRICTED)
    assert viewer(client, document).status_code == 404


def test_a_text_is_no_pdf(client: Client, public: Collection, index: AddDocument) -> None:
    text = index(public, "Urlop trwa 26 dni.")
    assert viewer(client, text).status_code == 404
    assert "/pdf/" not in client.get(f"/documents/{text.pk}/").content.decode()


def test_the_policy_stays_strict_for_the_page_and_for_what_draws_it(client: Client, document: Document) -> None:
    worker = client.get("/static/vendor/pdfjs/pdf.worker.min.mjs")
    assert worker.headers["Content-Type"].startswith("text/javascript")
    for response in (viewer(client, document), worker):
        policy = response.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'; ")
        assert not any(word in policy for word in ("unsafe", "blob:", "worker-src", "script-src"))
