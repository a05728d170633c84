"""An act as of a day, with what the acts that change it order."""

from collections.abc import Sequence
from datetime import date

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer
from rag.insight.amendments.chore import record_amendments
from rag.selectors.consolidated import ConsolidatedText, ShownChange, consolidated_text
from rag.selectors.documents import shown_document
from tests.conftest import AddDocument

BASE = """ZARZĄDZENIE NR 12/2024 BURMISTRZA LIPOWA DOLNEGO z dnia 3 marca 2024 r. w sprawie regulaminu pracy

§ 1. Regulamin obowiązuje wszystkich pracowników urzędu.

§ 2. Pracownik dba o porządek na swoim stanowisku.

§ 3. Urząd zapewnia:
1) napoje;
2) odzież roboczą.

§ 4. Pracownik podpisuje listę obecności.

§ 5. 1. Praca trwa osiem godzin.
2. Praca zaczyna się o godzinie 8.00.

§ 6. Przerwa trwa 15 minut.

§ 7. Zarządzenie wchodzi w życie z dniem podpisania, z wyjątkiem § 6, który wchodzi w życie z dniem 1 czerwca 2024 r.
"""
HEAD = "W zarządzeniu nr 12/2024 Burmistrza Lipowa Dolnego z dnia 3 marca 2024 r. w sprawie regulaminu pracy"
FIRST = f"""ZARZĄDZENIE NR 40/2025 BURMISTRZA LIPOWA DOLNEGO z dnia 9 maja 2025 r. zmieniające zarządzenie

§ 1. {HEAD} wprowadza się następujące zmiany:
1) w § 3 po pkt 1 dodaje się pkt 1a w brzmieniu:
„1a) posiłki;”;
2) po § 4 dodaje się § 4a w brzmieniu:
„§ 4a. 1. Listę prowadzi sekretariat.
2. Lista jest jawna.”;
3) w § 5 ust. 2 otrzymuje brzmienie:
„2. Praca zaczyna się o godzinie 7.30.”;
4) w § 2 wyrazy „na swoim stanowisku” zastępuje się wyrazami „w całym urzędzie”;
5) uchyla się § 6.

§ 2. Zarządzenie wchodzi w życie z dniem podpisania, z wyjątkiem § 1 pkt 3, który wchodzi w życie z dniem
1 września 2025 r.
"""
SECOND = f"""ZARZĄDZENIE NR 70/2025 BURMISTRZA LIPOWA DOLNEGO z dnia 1 grudnia 2025 r. zmieniające zarządzenie

§ 1. {HEAD} wprowadza się następujące zmiany:
1) w § 4a w ust. 2 wyraz „jawna” zastępuje się wyrazem „poufna”;
2) w § 9 ust. 1 otrzymuje brzmienie: „1. Czas pracy zapisuje się.”;
3) w § 1 wyrazy „pracowników” użyte w różnej liczbie zastępuje się wyrazami „zatrudnionych”.

§ 2. Zarządzenie wchodzi w życie z dniem 1 stycznia 2026 r.
"""


@pytest.fixture
def base(public: Collection, index: AddDocument) -> Document:
    return index(public, BASE, name="12.txt", title="Regulamin pracy")


@pytest.fixture
def acts(base: Document, public: Collection, index: AddDocument) -> Document:
    index(public, FIRST, name="40.txt", title="Pierwsza zmiana")
    index(public, SECOND, name="70.txt", title="Druga zmiana")
    record_amendments()
    return base


def at(document: Document, day: date, viewer: Viewer | None = None) -> ConsolidatedText:
    reader = viewer or AnonymousUser()
    text = consolidated_text(shown_document(reader, document.pk), reader, day)
    assert text
    return text


def whole(text: ConsolidatedText) -> str:
    return "".join(part.text for part in text.parts)


def changes(text: ConsolidatedText, *, done: bool = True) -> Sequence[ShownChange]:
    return [change for part in text.parts for change in part.changes if change.done is done]


def test_before_any_change_it_is_the_act_itself_and_says_what_is_to_come(acts: Document) -> None:
    text = at(acts, date(2024, 4, 1))
    assert whole(text) == BASE
    assert [(part.text.strip(), part.later) for part in text.parts if part.later] == [
        ("§ 6. Przerwa trwa 15 minut.", date(2024, 6, 1))
    ]
    assert text.days == [date(2025, 5, 9), date(2025, 9, 1), date(2026, 1, 1)]


def test_each_order_holds_from_its_own_day(acts: Document) -> None:
    text = at(acts, date(2025, 5, 9))
    for said in (
        "1) napoje;\n1a) posiłki;\n2) odzież",
        "w całym urzędzie",
        "§ 6. (uchylony)\n\n§ 7.",
        "Lista jest jawna",
    ):
        assert said in whole(text)
    assert "godzinie 8.00" in whole(text)
    assert "godzinie 7.30" in whole(at(acts, date(2025, 9, 1)))
    assert {one.unit for one in changes(text)} == {"§ 3 pkt 1a", "§ 4a", "§ 2", "§ 6"}
    assert {one.title for one in changes(text)} == {"Pierwsza zmiana"}


def test_a_change_of_a_change_is_made_in_what_that_one_added(acts: Document) -> None:
    text = at(acts, date(2026, 1, 1))
    assert "2. Lista jest poufna.\n\n§ 5." in whole(text)
    (part,) = [part for part in text.parts if "poufna" in part.text]
    assert part.text.startswith("§ 4a. 1. Listę prowadzi sekretariat.")
    assert [one.title for one in part.changes] == ["Pierwsza zmiana", "Druga zmiana"]


def test_what_is_not_certain_is_left_as_it_was_and_said_at_its_place(acts: Document) -> None:
    text = at(acts, date(2026, 1, 1))
    undone = changes(text, done=False)
    assert {one.unit for one in undone} == {"§ 9 ust. 1", "§ 1"}
    assert "Regulamin obowiązuje wszystkich pracowników urzędu." in whole(text)
    (part,) = [part for part in text.parts if any(one.unit == "§ 1" for one in part.changes)]
    assert part.text.startswith("§ 1. Regulamin")
    assert "użyte w różnej liczbie" in part.changes[0].said


def test_a_closed_changing_act_leaves_no_trace(
    base: Document, public: Collection, restricted: Collection, index: AddDocument, member: User
) -> None:
    index(public, FIRST, name="40.txt", title="Pierwsza zmiana")
    record_amendments()
    before = at(base, date(2026, 1, 1))
    index(restricted, SECOND, name="70.txt", title="Tajna zmiana")
    record_amendments()
    assert at(base, date(2026, 1, 1)) == before
    assert "Lista jest jawna" in whole(before)
    assert "Lista jest jawna" not in whole(at(base, date(2026, 1, 1), member))


def test_an_act_that_is_only_named_is_missed(base: Document, public: Collection, index: AddDocument) -> None:
    named = "w sprawie regulaminu pracy, zmienionym zarządzeniem nr 30/2024 Burmistrza z dnia 5 lipca 2024 r.,"
    index(public, FIRST.replace("w sprawie regulaminu pracy", named), name="40.txt", title="Pierwsza zmiana")
    record_amendments()
    assert at(base, date(2026, 1, 1)).missing


def test_an_act_of_which_nobody_says_since_when_it_holds_is_left_out_and_named(
    base: Document, public: Collection, index: AddDocument
) -> None:
    later = FIRST[: FIRST.index("§ 2. Zarządzenie wchodzi")] + "§ 2. Zarządzenie wchodzi w życie z dniem ogłoszenia."
    index(public, later, name="40.txt", title="Pierwsza zmiana")
    record_amendments()
    text = at(base, date(2026, 1, 1))
    assert [one.title for one in text.undated] == ["Pierwsza zmiana"]
    assert whole(text) == BASE


def test_changes_that_the_kept_wording_has_already_are_not_made_again(acts: Document) -> None:
    Document.objects.filter(pk=acts.pk).update(valid_from=date(2025, 6, 1))
    acts.refresh_from_db()
    text = at(acts, date(2025, 7, 1))
    assert whole(text) == BASE
    assert text.days == [date(2025, 9, 1), date(2026, 1, 1)]
    assert at(acts, date(2025, 5, 1)).before == date(2025, 6, 1)


def test_the_page_tells_that_it_is_no_official_text_and_links_each_change(acts: Document, client: Client) -> None:
    address = reverse("chat:consolidated", args=[acts.pk])
    assert address in client.get(reverse("chat:document", args=[acts.pk])).content.decode()
    page = client.get(address, {"day": "2026-01-01"}).content.decode()
    for said in ("Nie jest to tekst urzędowy", "posiłki", "Druga zmiana", "nie da się ustalić z pewnością"):
        assert said in page
    assert client.get(address, {"day": "wczoraj"}).status_code == 200
    change = Document.objects.get(file_name="40.txt")
    assert client.get(reverse("chat:consolidated", args=[change.pk])).status_code == 404
