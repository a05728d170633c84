"""The page on which editors decide about proposed words, and the document that answers a gap."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.models import Collection, Document, SynonymGroup
from rag.models import KnowledgeGap, WordProposal
from rag.services.gaps import open_gap
from tests.conftest import AddDocument
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db

PAGE = "admin:rag_wordproposal_changelist"


@pytest.fixture
def leave(public: Collection, index: AddDocument) -> Document:
    text = "# Urlop okolicznościowy\n\nNa pogrzeb pracownik ma dwa dni.\n"
    return index(public, text, name="u.md", title="Urlop okolicznościowy")


@pytest.fixture
def gap(leave: Document) -> KnowledgeGap:
    texts = ("Ile mam laby na pogrzeb?", "Kiedy pracownik ma labę?")
    return open_gap(exchanges=[asked(text, at=timezone.now(), outcome="not_found").pk for text in texts])


@pytest.fixture
def editor(client: Client) -> User:
    user = User.objects.create_user("redaktor", password="haslo", is_staff=True)
    names = ["view_knowledgegap", "change_knowledgegap", "add_synonymgroup"]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(user)
    return user


def choose(client: Client, gap: KnowledgeGap, document: object) -> int:
    address = reverse("admin:rag_knowledgegap_answered", args=[gap.pk])
    return client.post(address, {"document": document}).status_code


def decide(client: Client, **fields: str):  # type: ignore[no-untyped-def]
    address = reverse("admin:rag_wordproposal_decide", args=[WordProposal.objects.get().pk])
    return client.post(address, fields, follow=True)


@pytest.mark.usefixtures("editor")
def test_from_the_document_that_answers_to_the_synonym(client: Client, gap: KnowledgeGap, leave: Document) -> None:
    page = client.get(reverse("admin:rag_knowledgegap_change", args=[gap.pk]), {"q": "urlop"}).content.decode()
    assert f'name="document" value="{leave.pk}"' in page
    assert choose(client, gap, leave.pk) == 302
    gap.refresh_from_db()
    assert (gap.status, gap.answered_by) == ("answered", leave)
    page = client.get(reverse(PAGE)).content.decode()
    assert 'value="laba"' in page
    assert "2 pytania" in page
    said = decide(client, accept="1", word="laba", offered="dni wolne").content.decode()
    assert "szuka się razem z jego synonimami" in said
    assert [synonym.text for synonym in SynonymGroup.objects.get().synonyms.all()] == ["laba", "dni wolne"]


@pytest.mark.usefixtures("editor")
def test_what_is_wrong_is_said_and_the_proposal_stays(client: Client, gap: KnowledgeGap, leave: Document) -> None:
    choose(client, gap, leave.pk)
    client.get(reverse(PAGE))
    assert "Wpisz słowo" in decide(client, accept="1", word="laba", offered="").content.decode()
    assert "nie będzie już proponowane" in decide(client, reject="1").content.decode()
    assert not SynonymGroup.objects.exists()


@pytest.mark.usefixtures("editor")
def test_a_document_that_the_editor_may_not_read_answers_nothing(
    client: Client, gap: KnowledgeGap, restricted: Collection, index: AddDocument
) -> None:
    secret = index(restricted, "# Tajne\n\nNic.\n", title="Tajne")
    assert [choose(client, gap, key) for key in (secret.pk, 10**9, "x")] == [404, 404, 404]
    gap.refresh_from_db()
    assert gap.status == "new"


def test_who_writes_no_synonyms_decides_nothing(
    client: Client, editor: User, gap: KnowledgeGap, leave: Document
) -> None:
    choose(client, gap, leave.pk)
    client.get(reverse(PAGE))
    editor.user_permissions.remove(Permission.objects.get(codename="add_synonymgroup"))
    assert "Przyjmij" not in client.get(reverse(PAGE)).content.decode()
    assert decide(client, reject="1").status_code == 403
    editor.user_permissions.clear()
    assert client.get(reverse(PAGE)).status_code == 403
