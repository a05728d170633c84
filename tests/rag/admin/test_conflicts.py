"""The board of contradictions in the admin."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from knowledgetree.admin.sidebar import navigation
from rag.insight.conflicts.comparing import compare_documents
from rag.models import Conflict
from rag.selectors.conflicts import conflicts_of_owner
from rag.services.conflicts import decide_conflicts
from tests.conftest import AddDocument

pytestmark = pytest.mark.django_db

BOARD = "admin:rag_conflict_changelist"
PLAIN = "Reklamację rozpatrujemy w ciągu 14 dni od jej otrzymania."


@pytest.fixture
def editor(restricted: Collection) -> User:
    """May clear contradictions, but not see the restricted collection."""
    user = User.objects.create_user("redaktor", password="haslo", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_document", "change_document"]))
    return user


@pytest.fixture
def conflict(public: Collection, index: AddDocument) -> Conflict:
    index(public, PLAIN, name="regulamin.txt", title="Regulamin reklamacji")
    index(public, PLAIN.replace("14", "30"), name="ulotka.txt", title="Ulotka o reklamacjach")
    compare_documents()
    return Conflict.objects.get()


@pytest.fixture
def closed(public: Collection, restricted: Collection, index: AddDocument) -> Conflict:
    """One of whose sides is in the restricted collection."""
    index(public, PLAIN, name="regulamin.txt", title="Regulamin reklamacji")
    index(restricted, PLAIN.replace("14", "60"), name="tajne.txt", title="Tajna ulotka o reklamacjach")
    compare_documents()
    return Conflict.objects.get()


def page(client: Client, **query: str) -> str:
    return client.get(reverse(BOARD), query).content.decode()


def waiting(client: Client) -> tuple[int, int]:
    """What the start page says wait: beside the name in the sidebar, and among what needs somebody."""
    response = client.get(reverse("admin:index"))
    badges = [item.get("badge", "") for group in navigation(response.wsgi_request) for item in group["items"]]
    told = re.search(r"(\d+) sprzeczno", response.content.decode())
    return sum(int(badge) for badge in badges if badge), int(told[1]) if told else 0


def decide(client: Client, conflict: Conflict, **choice: object) -> int:
    return client.post(reverse("admin:rag_conflict_decide", args=[conflict.pk]), choice).status_code


def test_both_sides_are_shown_with_what_differs_and_links_to_the_passages(
    client: Client, editor: User, conflict: Conflict
) -> None:
    client.force_login(editor)
    text = page(client)
    assert "<mark>w ciągu 14 dni</mark>" in text
    assert "<mark>w ciągu 30 dni</mark>" in text
    assert "To jest aktualne" in text
    assert reverse("chat:document", args=[conflict.first.document_id]) in text
    assert reverse(BOARD) in client.get(reverse("admin:index")).content.decode()


def test_an_editor_decides_and_takes_it_back(client: Client, editor: User, conflict: Conflict) -> None:
    client.force_login(editor)
    assert decide(client, conflict, right=conflict.second_id) == 302
    conflict.refresh_from_db()
    assert (conflict.decision, conflict.decided_by) == ("second", editor)
    assert "w ciągu 30 dni" not in page(client)
    assert "w ciągu 30 dni" in page(client, cleared="1")
    assert "dni" not in LogEntry.objects.get().object_repr
    assert decide(client, conflict, reopen="1") == 302
    conflict.refresh_from_db()
    assert (conflict.decision, conflict.decided_by) == ("open", None)


def test_a_choice_that_is_none_changes_nothing_and_says_what_to_do(
    client: Client, editor: User, conflict: Conflict
) -> None:
    client.force_login(editor)
    answer = client.post(reverse("admin:rag_conflict_decide", args=[conflict.pk]), {"decision": "x"}, follow=True)
    assert "Proszę wskazać" in answer.content.decode()
    conflict.refresh_from_db()
    assert conflict.decision == "open"


def test_who_may_not_read_one_side_sees_nothing_of_it(client: Client, editor: User, closed: Conflict) -> None:
    client.force_login(editor)
    assert "reklamac" not in page(client)
    assert waiting(client) == (0, 0)
    assert decide(client, closed, decision="apart") == 404
    editor.groups.set(Collection.objects.get(slug="poufna").groups.all())
    assert "Tajna ulotka" in page(client)


def test_the_badge_counts_no_document_whose_readers_are_others(
    client: Client, editor: User, employee: User, conflict: Conflict
) -> None:
    client.force_login(editor)
    assert waiting(client) == (1, 1)
    readers = Readers(groups=frozenset(), users=frozenset({employee.pk}))
    set_document_rights(document=conflict.first.document, readers=readers, origin="editor")
    assert waiting(client) == (0, 0)
    assert "reklamac" not in page(client)


def test_who_decides_second_is_told_who_was_first(
    client: Client, editor: User, superuser: User, conflict: Conflict
) -> None:
    decide_conflicts(conflicts=[conflict], decision="apart", by=superuser)
    client.force_login(editor)
    address = reverse("admin:rag_conflict_decide", args=[conflict.pk])
    told = client.post(address, {"decision": "neither"}, follow=True).content.decode()
    assert "szefowa" in told
    assert "dotyczą różnych spraw" in told
    conflict.refresh_from_db()
    assert conflict.decision == "apart"


def test_it_is_for_those_who_may(client: Client, employee: User, editor: User, conflict: Conflict) -> None:
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    assert client.get(reverse(BOARD)).status_code == 403
    assert decide(client, conflict, decision="apart") == 403
    editor.user_permissions.set(Permission.objects.filter(codename="view_document"))
    client.force_login(editor)
    assert "<mark>" in page(client)
    assert "To jest aktualne" not in page(client)
    assert decide(client, conflict, decision="apart") == 403


def test_personal_data_are_covered_for_whom_the_collection_covers_them(
    client: Client, editor: User, public: Collection, index: AddDocument
) -> None:
    for name, person in (("a", "Anna Zielińska"), ("b", "Marek Wrona")):
        index(
            public, f"Kierownikiem kancelarii jest {person}, tel. 601 234 567.", name=f"{name}.txt", title="Kancelaria"
        )
    compare_documents()
    assert Conflict.objects.get().kind == "name"
    Collection.objects.update(mask_personal_data=True)
    client.force_login(editor)
    text = page(client)
    assert "Kierownikiem kancelarii jest" in text
    assert "Zielińska" not in text
    assert "601 234 567" not in text


def test_whoever_brought_a_document_is_told_of_its_contradictions_alone(
    client: Client, editor: User, superuser: User, conflict: Conflict
) -> None:
    client.force_login(editor)
    assert "dotyczy dokumentu" not in client.get("/admin/").content.decode()
    assert list(conflicts_of_owner(editor)) == []
    document = conflict.first.document
    document.versions.update(author=editor)
    assert list(conflicts_of_owner(editor)) == [conflict]
    assert list(conflicts_of_owner(superuser)) == []
    assert "1 sprzeczność dotyczy dokumentu" in client.get("/admin/").content.decode()
    assert "Ulotka o reklamacjach" in page(client, own="1")
    set_document_rights(
        document=document, readers=Readers(groups=frozenset(), users=frozenset({superuser.pk})), origin="editor"
    )
    assert list(conflicts_of_owner(editor)) == []
