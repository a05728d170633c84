"""What of the groups is shown, today and to whom."""

import json
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.test import Client

from ingestion.models import Chunk, Collection, Document
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import archive_document, delete_document
from ingestion.services.erasure import erase_document
from rag.insight.communities.building import build_communities
from rag.models import Community, CommunitySentence
from rag.selectors.communities import ShownCommunity, shown_communities
from tests.conftest import AddDocument
from tests.rag.insight.communities.conftest import LEAVE, fill

GONE: dict[str, Callable[[Document], Any]] = {
    "deleted": lambda document: delete_document(document=document),
    "archived": lambda document: archive_document(document=document),
    "expired": lambda document: Document.objects.filter(pk=document.pk).update(valid_to="2020-01-01"),
}
CHANGED: dict[str, Callable[[Chunk], Any]] = {
    "edited": lambda chunk: edit_chunk(chunk=chunk, text="Urlopu nie ma."),
    "switched off": lambda chunk: set_chunk_enabled(chunk=chunk, enabled=False),
}


@pytest.fixture
def built(public: Collection, documents: dict[str, Document]) -> dict[str, Document]:
    build_communities(collection=public)
    return documents


def shown(collection: Collection, viewer: Any = None) -> list[ShownCommunity]:
    return shown_communities(viewer or AnonymousUser(), collection)


def cited(collection: Collection) -> set[int]:
    return {sentence.document_id for one in shown(collection) for sentence in one.sentences}


def listed(collection: Collection) -> set[int]:
    return {document.document_id for one in shown(collection) for document in one.documents}


@pytest.mark.parametrize("how", GONE)
def test_a_document_that_is_gone_is_not_in_an_old_summary(
    public: Collection, built: dict[str, Document], how: str
) -> None:
    key = built["urlop"].pk
    assert key in cited(public) & listed(public)
    GONE[how](built["urlop"])
    assert key not in cited(public) | listed(public)
    assert built["zaległy"].pk in listed(public)


@pytest.mark.parametrize("how", CHANGED)
def test_a_sentence_goes_with_what_it_rests_on(public: Collection, built: dict[str, Document], how: str) -> None:
    CHANGED[how](built["urlop"].chunks.get())
    assert built["urlop"].pk not in cited(public)
    assert built["zaległy"].pk in cited(public)


def test_a_new_version_that_says_something_else_takes_the_sentence_along(
    public: Collection, built: dict[str, Document], index: AddDocument
) -> None:
    index(public, "Zupełnie inna treść o parkowaniu.", name="urlop.txt", title="Urlop")
    assert built["urlop"].pk not in cited(public)


def test_a_group_of_which_one_document_is_left_is_none(public: Collection, built: dict[str, Document]) -> None:
    for name in ("urlop", "ślub"):
        archive_document(document=built[name])
    assert built["zaległy"].pk not in listed(public)
    assert len(shown(public)) == 1


def test_an_erased_document_leaves_no_word_behind(public: Collection, built: dict[str, Document]) -> None:
    erase_document(document=built["urlop"])
    assert Community.objects.count() == 1
    assert not CommunitySentence.objects.filter(quote__contains="26 dni").exists()


def test_personal_data_masked_since_are_covered(
    public: Collection, index: AddDocument, employee: User, superuser: User
) -> None:
    fill(public, index)
    text = "Pracownik zgłasza urlop wypoczynkowy kierownikowi pod numerem 601 234 567 najpóźniej przed urlopem."
    index(public, text, name="telefon.txt", title="Telefon")
    build_communities(collection=public)
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    public.refresh_from_db()
    assert "601 234 567" in str(shown(public, superuser))
    assert "601 234 567" not in str(shown(public, employee))
    assert "zgłasza urlop wypoczynkowy" in str(shown(public, employee))


def test_the_page_of_the_collection_has_its_subjects_with_links(client: Client, built: dict[str, Document]) -> None:
    page = unescape(client.get("/library/publiczna/").content.decode())
    assert "Tematy tej kolekcji" in page
    assert "Wyciąg: zdania wzięte z dokumentów bez zmian" in page
    (sentence,) = CommunitySentence.objects.filter(document=built["urlop"])
    assert sentence.text in page
    assert f'href="/documents/{built["urlop"].pk}/?start={sentence.start}&end={sentence.end}&q=' in page
    assert "Tematy" not in unescape(client.get("/library/publiczna/?q=urlop").content.decode())


def test_a_collection_without_groups_shows_none(client: Client, documents: dict[str, Document]) -> None:
    assert "Tematy" not in client.get("/library/publiczna/").content.decode()


def test_the_api_gives_them_to_those_who_may_read_the_collection(
    client: Client, restricted: Collection, index: AddDocument, member: User, employee: User
) -> None:
    fill(restricted, index)
    build_communities(collection=restricted)
    address = "/api/collections/poufna/communities"
    assert client.get(address).status_code == 404
    client.force_login(employee)
    assert client.get(address).status_code == 404
    assert client.get("/api/collections/nie-ma/communities").status_code == 404
    client.force_login(member)
    found = json.loads(client.get(address).content)
    assert len(found) == 2
    assert set(found[0]) == {"label", "model", "made", "sentences", "documents"}
    assert set(found[0]["sentences"][0]) == {"text", "document_id", "title", "url"}
    assert LEAVE["urlop"].split(".")[0] in str(found)


def test_who_may_see_personal_data_gets_no_wider_summary(public: Collection, built: dict[str, Document]) -> None:
    """A summary is everybody's: where data are masked when it is made, they are not in it for anybody."""
    Document.objects.filter(pk=built["urlop"].pk).update(title="Urlop 601 234 567")
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    public.refresh_from_db()
    editor = User.objects.create_user("redaktorka")
    editor.user_permissions.add(Permission.objects.get(codename="see_personal_data"))
    assert "601 234 567" in str(shown(public, editor))
    assert "601 234 567" not in str(shown(public))
