"""Amendments on the reader's page, from either side."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from rag.insight.amendments.chore import record_amendments
from rag.models import Amendment
from rag.selectors.amendments import amendments_of
from rag.selectors.documents import shown_document
from tests.conftest import AddDocument

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


def test_what_was_read_is_not_read_again_until_it_is_indexed_anew(
    change: Document, restricted: Collection, index: AddDocument
) -> None:
    assert record_amendments() == 0
    index(restricted, CHANGE.replace("; 2) uchyla się § 6", ""), name="40.txt", title="Zmiana regulaminu pracy")
    assert record_amendments() == 1
    assert list(Amendment.objects.values_list("unit", flat=True)) == ["§ 5 ust. 2"]
    change.delete()
    assert not Amendment.objects.exists()
