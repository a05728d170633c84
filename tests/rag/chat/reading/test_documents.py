"""Who may open a document, and what its page says."""

from datetime import date, timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import AsyncClient, Client
from django.utils import timezone

from ingestion.models import Collection
from tests.conftest import AddDocument

TEXT = "# Regulamin\n\n## § 1. Urlop\n\nPracownikowi przysługuje 26 dni urlopu.\n"


def page(client: Client, pk: int, **query: object) -> str:
    response = client.get(f"/documents/{pk}/", query)
    assert response.status_code == 200
    return response.content.decode()


def status(client: Client, pk: int) -> int:
    return client.get(f"/documents/{pk}/").status_code


def test_everyone_reads_public_documents(client: Client, public: Collection, index: AddDocument) -> None:
    assert status(client, index(public, TEXT).pk) == 200


def test_internal_documents_exist_for_signed_in_users_only(
    client: Client, internal: Collection, index: AddDocument, employee: User
) -> None:
    document = index(internal, TEXT)
    assert status(client, document.pk) == 404
    client.force_login(employee)
    assert status(client, document.pk) == 200


def test_restricted_documents_exist_for_members_only(
    client: Client, restricted: Collection, index: AddDocument, employee: User, member: User
) -> None:
    document = index(restricted, TEXT)
    assert status(client, document.pk) == 404
    client.force_login(employee)
    assert status(client, document.pk) == 404
    client.force_login(member)
    assert status(client, document.pk) == 200


def test_the_cited_characters_are_marked(client: Client, public: Collection, index: AddDocument) -> None:
    document = index(public, TEXT, name="r.md", title="Regulamin")
    start = TEXT.index("26 dni")
    shown = page(client, document.pk, start=start, end=start + len("26 dni"))
    assert '<mark id="cytat" tabindex="-1">26 dni</mark>' in shown


def test_the_fragment_is_the_article_alone(client: Client, public: Collection, index: AddDocument) -> None:
    shown = page(client, index(public, TEXT).pk, fragment=1)
    assert shown.strip().startswith("<article")
    assert "<html" not in shown


@pytest.mark.parametrize("query", [{"start": "x", "end": "-1"}, {"start": "9" * 30}, {"start": 5, "end": 1}])
def test_offsets_that_make_no_sense_mark_nothing(
    client: Client, public: Collection, index: AddDocument, query: dict[str, object]
) -> None:
    assert "<mark" not in page(client, index(public, TEXT).pk, **query)


def test_a_document_that_is_no_longer_in_force_says_so(client: Client, public: Collection, index: AddDocument) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    old = index(public, TEXT, name="stary.md", valid_from=date(2020, 1, 1), valid_to=yesterday)
    new = index(public, TEXT + "!", name="nowy.md", valid_from=date(2020, 1, 1))
    assert "badge expired" in page(client, old.pk)
    assert "badge expired" not in page(client, new.pk)


def test_nothing_from_outside_and_nothing_inline(client: Client, public: Collection, index: AddDocument) -> None:
    response = client.get(f"/documents/{index(public, TEXT).pk}/")
    assert response.headers["Content-Security-Policy"].startswith("default-src 'self'; ")
    markup = response.content.decode()
    assert "style=" not in markup
    assert "onclick" not in markup


@async_to_sync
async def download(pk: int) -> tuple[HttpResponse, bytes]:
    response: Any = await AsyncClient().get(f"/documents/{pk}/original/")
    if response.status_code != 200:
        return response, b""
    return response, b"".join([piece async for piece in response.streaming_content])


def test_the_original_comes_as_a_download(public: Collection, index: AddDocument) -> None:
    page = "<html><body><p>Zażółć gęślą jaźń, bo tak trzeba.</p></body></html>"
    response, body = download(index(public, page, name="Zażółć.html").pk)
    assert response.status_code == 200
    assert body.decode() == page
    assert response.headers["Content-Disposition"].startswith("attachment;")
    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_the_original_is_as_closed_as_its_document(restricted: Collection, index: AddDocument) -> None:
    assert download(index(restricted, TEXT).pk)[0].status_code == 404
