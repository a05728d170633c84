"""Whatever page names a document names it as its viewer may see it."""

from copy import copy
from dataclasses import FrozenInstanceError

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from ingestion.text.personal_data.masking import COVER
from rag.insight.analytics.citations import citing_of
from rag.insight.analytics.period import period_called
from rag.selectors.documents import shown_document, shown_documents
from tests.conftest import index_text, make_public
from tests.kept import Kept

PHONE = "601 234 567"


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
        return index_text(
            public, "Wnioski przyjmuje sekretariat.", name="w.txt", title=f"Tel. {PHONE}", tags=[f"t {PHONE}"]
        )


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return copy(kept_document)


@pytest.fixture
def clerk(employee: User) -> User:
    employee.user_permissions.add(Permission.objects.get(codename="see_personal_data"))
    return User.objects.get(pk=employee.pk)


def test_a_shown_document_is_covered_for_its_viewer_and_cannot_be_uncovered(
    document: Document, anonymous: Viewer, clerk: User
) -> None:
    covered, whole = shown_document(anonymous, document.pk), shown_document(clerk, document.pk)
    assert PHONE not in f"{covered.title} {covered.tags} {covered}"
    assert COVER in covered.title
    assert (covered.original, whole.title, whole.original) == (None, document.title, document)
    assert [one.covers for viewer in (anonymous, clerk) for one in shown_documents(viewer, [document])] == [True, False]
    with pytest.raises(FrozenInstanceError):
        covered.title = document.title  # type: ignore[misc]


@pytest.mark.parametrize("address", ["/", "/library/", "/library/publiczna/", "/documents/{pk}", "/library/?q=wnioski"])
def test_no_page_of_the_readers_names_what_is_covered(client: Client, document: Document, address: str) -> None:
    if "{pk}" in address:
        address = reverse("chat:document", args=[document.pk])
    response = client.get(address)
    assert response.status_code == 200
    assert PHONE not in response.content.decode()


def test_figures_of_citations_name_what_their_viewer_may_see(
    document: Document, anonymous: Viewer, clerk: User
) -> None:
    said = [citing_of(period_called("7d"), viewer, limit=5).never_oldest[0].title for viewer in (anonymous, clerk)]
    assert [PHONE in title for title in said] == [False, True]
