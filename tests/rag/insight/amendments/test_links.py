"""Amendments on the reader's page, from either side."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from rag.insight.amendments.chore import record_amendments
from rag.models import Amendment
from rag.selectors.amendments import amendments_of
from rag.selectors.documents import shown_document
from tests.conftest import AddDocument, index_in_job

ORDER = """ZARZĄDZENIE NR 12/2024 BURMISTRZA LIPOWA DOLNEGO z dnia 3 marca 2024 r. w sprawie regulaminu pracy

§ 1. Regulamin obowiązuje wszystkich pracowników urzędu.

§ 2. Pracownik dba o porządek na swoim stanowisku.

§ 3. Urząd zapewnia napoje.

§ 4. Pracownik podpisuje listę obecności.

§ 5. 1. Praca trwa osiem godzin.
2. Praca zaczyna się o godzinie 8.00.

§ 6. Przerwa trwa 15 minut.
"""
CHANGE = """ZARZĄDZENIE NR 40/2025 BURMISTRZA LIPOWA DOLNEGO z dnia 9 maja 2025 r. zmieniające zarządzenie

§ 1. W zarządzeniu nr 12/2024 Burmistrza Lipowa Dolnego z dnia 3 marca 2024 r. w sprawie regulaminu pracy wprowadza się
następujące zmiany: 1) w § 5 ust. 2 otrzymuje brzmienie: „2. Praca zaczyna się o godzinie 7.30.”; 2) uchyla się § 6.

§ 2. Zarządzenie wchodzi w życie z dniem podpisania.
"""


@pytest.fixture
def order(public: Collection, index: AddDocument) -> Document:
    return index(public, ORDER, name="12.txt", title="Regulamin pracy")


@pytest.fixture
def change(order: Document, restricted: Collection, index: AddDocument) -> Document:
    found = index(restricted, CHANGE, name="40.txt", title="Zmiana regulaminu pracy")
    record_amendments()
    return found


def test_both_pages_name_each_other_with_the_unit(
    client: Client, order: Document, change: Document, superuser: User
) -> None:
    client.force_login(superuser)
    changed = client.get(reverse("chat:document", args=[order.pk])).content.decode()
    assert "Zmieniony przez" in changed
    assert "§ 5 ust. 2" in changed
    assert "nowe brzmienie" in changed
    assert reverse("chat:document", args=[change.pk]) in changed
    changing = client.get(reverse("chat:document", args=[change.pk])).content.decode()
    assert "Zmienia" in changing
    (made,) = amendments_of(shown_document(superuser, change.pk), superuser).makes
    assert (made.title, [one.unit for one in made.changes]) == ("Regulamin pracy", ["§ 5 ust. 2", "§ 6"])
    assert all(one.target for one in made.changes)
    target = client.get(made.changes[0].target).content.decode()
    assert "Praca zaczyna się" in target[target.index("<mark") :][:400]


def test_who_may_not_read_the_changing_act_does_not_hear_of_it(
    client: Client, order: Document, change: Document
) -> None:
    assert amendments_of(shown_document(AnonymousUser(), order.pk), AnonymousUser()).undergoes == ()
    assert "Zmiana regulaminu" not in client.get(reverse("chat:document", args=[order.pk])).content.decode()


def test_of_a_changed_act_that_is_closed_only_what_the_changing_one_says_is_shown(
    public: Collection, restricted: Collection, index: AddDocument
) -> None:
    index(restricted, ORDER, name="12.txt", title="Tajny tytuł regulaminu")
    change = index(public, CHANGE, name="40.txt", title="Zmiana regulaminu pracy")
    record_amendments()
    (made,) = amendments_of(shown_document(AnonymousUser(), change.pk), AnonymousUser()).makes
    assert (made.url, [one.target for one in made.changes]) == ("", ["", ""])
    assert "3 marca 2024" in made.title
    assert "Tajny" not in made.title


def test_readers_of_a_single_document_alone_are_shown_its_links(
    public: Collection, index: AddDocument, employee: User, member: User
) -> None:
    order = index(public, ORDER, name="12.txt", title="Regulamin pracy")
    change = index(public, CHANGE, name="40.txt", title="Zmiana regulaminu pracy")
    record_amendments()
    readers = Readers(groups=frozenset(), users=frozenset({employee.pk}))
    set_document_rights(document=change, readers=readers, origin="editor")
    assert amendments_of(shown_document(member, order.pk), member).undergoes == ()
    assert len(amendments_of(shown_document(employee, order.pk), employee).undergoes) == 1
    set_document_rights(document=change, readers=None, origin="editor")
    set_document_rights(document=order, readers=readers, origin="editor")
    assert [one.url for one in amendments_of(shown_document(member, change.pk), member).makes] == [""]
    assert all(one.url for one in amendments_of(shown_document(employee, change.pk), employee).makes)


def test_a_job_that_indexes_an_act_links_it_at_once(order: Document, public: Collection) -> None:
    index_in_job(public, CHANGE, name="40.txt", title="Zmiana regulaminu pracy")
    assert set(Amendment.objects.values_list("unit", flat=True)) == {"§ 5 ust. 2", "§ 6"}
    index_in_job(public, CHANGE.replace("; 2) uchyla się § 6", ""), name="40.txt", title="Zmiana regulaminu pracy")
    assert list(Amendment.objects.values_list("unit", flat=True)) == ["§ 5 ust. 2"]


def test_what_was_read_is_not_read_again_until_it_is_indexed_anew(
    change: Document, restricted: Collection, index: AddDocument
) -> None:
    assert record_amendments() == 0
    index(restricted, CHANGE.replace("; 2) uchyla się § 6", ""), name="40.txt", title="Zmiana regulaminu pracy")
    assert record_amendments() == 1
    assert list(Amendment.objects.values_list("unit", flat=True)) == ["§ 5 ust. 2"]
    change.delete()
    assert not Amendment.objects.exists()
