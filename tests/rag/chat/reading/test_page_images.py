"""Pages of a PDF as pictures: who gets them, and where the cited words are marked."""

import re
from copy import copy
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from ingestion.models import Collection, Document
from rag.search.links import passage_url
from tests.conftest import AddDocument, index_text, make_public
from tests.ingestion.reading.pdf_files import paragraph, pdf
from tests.kept import Kept

FIRST = ["Regulamin pracy obowiązuje wszystkich pracowników urzędu.", "Urlop wypoczynkowy trwa 26 dni w roku."]
SECOND = ["Wniosek o urlop składa się w kadrach, co najmniej trzy dni wcześniej."]
FILE = pdf([paragraph(FIRST), paragraph(SECOND)])


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(make_public(), FILE, name="regulamin.pdf", title="Regulamin")


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return copy(kept_document)


def picture(client: Client, document: Document, page: int = 1, width: object = 800, **headers: str) -> Any:
    return client.get(f"/documents/{document.pk}/pages/{page}.webp", {"width": width}, headers=headers)


def cited(document: Document, quote: str) -> str:
    text = document.extractions.get().text
    return passage_url(document.pk, text.index(quote), text.index(quote) + len(quote), quote)


def shown(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


class TestThePicture:
    @pytest.mark.slow
    def test_a_reader_gets_the_page(self, client: Client, document: Document) -> None:
        response = picture(client, document, page=2)
        assert (response.status_code, response.headers["Content-Type"]) == (200, "image/webp")
        assert response.content[8:12] == b"WEBP"
        assert response.headers["Cache-Control"].startswith("private")
        assert picture(client, document, page=1).content != response.content

    def test_who_has_it_already_is_told_so(self, client: Client, document: Document) -> None:
        etag = picture(client, document).headers["ETag"]
        assert picture(client, document, **{"if-none-match": etag}).status_code == 304
        assert picture(client, document, width=1200, **{"if-none-match": etag}).status_code == 200

    @pytest.mark.slow
    def test_rights_go_before_what_is_known_from_earlier(
        self, client: Client, restricted: Collection, index: AddDocument, member: User, employee: User
    ) -> None:
        document = index(restricted, FILE, name="a.pdf")
        client.force_login(member)
        etag = picture(client, document).headers["ETag"]
        client.force_login(employee)
        assert picture(client, document, **{"if-none-match": etag}).status_code == 404
        assert picture(client, document).status_code == 404

    def test_where_personal_data_are_covered_no_page_is_shown(
        self, client: Client, document: Document, public: Collection, employee: User
    ) -> None:
        etag = picture(client, document).headers["ETag"]
        Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
        assert picture(client, document).status_code == 403
        assert picture(client, document, **{"if-none-match": etag}).status_code == 403
        assert "page-picture" not in shown(client, cited(document, "26 dni"))
        employee.user_permissions.add(Permission.objects.get(codename="see_personal_data"))
        client.force_login(employee)
        assert picture(client, document).status_code == 200

    @pytest.mark.parametrize("page", [0, 3, 99])
    def test_a_page_that_is_not_there_is_not_found(self, client: Client, document: Document, page: int) -> None:
        assert picture(client, document, page=page).status_code == 404

    @pytest.mark.parametrize("width", ["801", "0", "-800", "99999", "x", ""])
    def test_other_widths_are_not_painted(self, client: Client, document: Document, width: str) -> None:
        assert picture(client, document, width=width).status_code == 404

    @pytest.mark.slow
    def test_a_text_has_no_pages(self, client: Client, public: Collection, index: AddDocument) -> None:
        assert picture(client, index(public, "Urlop trwa 26 dni.")).status_code == 404

    def test_a_missing_original_is_no_error_of_the_page(self, client: Client, document: Document) -> None:
        document.file.storage.delete(document.file.name)
        Document.objects.filter(pk=document.pk).update(checksum="0" * 64)  # not what an earlier test has painted
        assert picture(client, document).status_code == 503


class TestThePageOfTheDocument:
    def test_the_page_of_the_passage_is_shown_with_the_words_marked(self, client: Client, document: Document) -> None:
        page = shown(client, cited(document, "Wniosek o urlop"))
        assert f'src="/documents/{document.pk}/pages/2.webp?width=800"' in page
        (x, y) = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)"', page)[0]
        assert float(x) == pytest.approx(72 / 595, abs=0.01)
        assert float(y) == pytest.approx(1 - 711 / 842, abs=0.02)
        assert 'width="800" height="1132"' in page
        assert "style=" not in page

    def test_one_place_has_the_anchor_of_the_passage(self, client: Client, document: Document) -> None:
        page = shown(client, cited(document, "26 dni"))
        assert page.count('id="cytat"') == 1
        assert '<g id="cytat">' in page
        assert '<mark id="cytat-w-tekscie"' in page

    def test_a_passage_over_two_pages_is_marked_on_each(self, client: Client, document: Document) -> None:
        text = document.extractions.get().text
        quote = text[text.index("trwa 26") : text.index(" składa się")]
        url = cited(document, quote)
        assert "<rect" in shown(client, url)
        assert "<rect" in shown(client, url.replace("?", "?page=2&"))

    def test_pages_can_be_turned(self, client: Client, document: Document) -> None:
        url = cited(document, "26 dni")
        assert "page=2" in shown(client, url)
        turned = shown(client, url.replace("?", "?page=2&"))
        assert "/pages/2.webp" in turned
        assert "<rect" not in turned
        assert 'rel="next"' not in turned

    def test_without_a_passage_nothing_is_painted_until_somebody_asks(self, client: Client, document: Document) -> None:
        page = shown(client, f"/documents/{document.pk}/")
        assert ".webp" not in page
        assert "?page=1" in page
        first = shown(client, f"/documents/{document.pk}/?page=1")
        assert "/pages/1.webp" in first
        assert 'href="#tekst"' in first
        assert 'id="tekst"' in first

    @pytest.mark.parametrize("page", ["0", "3", "x", "²", "9" * 40])
    def test_a_page_that_is_not_there_is_as_none(self, client: Client, document: Document, page: str) -> None:
        assert ".webp" not in shown(client, f"/documents/{document.pk}/?page={page}")

    def test_a_page_that_cannot_be_painted_leaves_the_text(self, client: Client, document: Document) -> None:
        url = cited(document, "Urlop wypoczynkowy trwa")
        document.file.storage.delete(document.file.name)
        document.extractions.update(checksum="1" * 64)
        Document.objects.filter(pk=document.pk).update(checksum="1" * 64)
        page = shown(client, url)
        assert ".webp" not in page
        assert '<mark id="cytat"' in page

    def test_a_file_that_is_not_the_one_that_was_read_is_not_shown(self, client: Client, document: Document) -> None:
        document.extractions.update(checksum="2" * 64)
        assert "page-picture" not in shown(client, cited(document, "26 dni"))
