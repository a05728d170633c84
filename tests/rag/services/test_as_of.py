"""What was in force at another time is found by that time alone, and says when it was."""

from copy import copy
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from ingestion.models import Collection, Document, ValidityProposal
from ingestion.services.documents import archive_document, restore_document
from ingestion.services.erasure import erase_document
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from rag.insight.amendments.chore import record_amendments
from rag.models import Exchange
from rag.selectors.wordings import other_wordings
from rag.services.ask import answer_question
from rag.services.search import search_passages
from rag.types import Answer, Filters, SearchResult
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

TEXT = "# Opłata za psa\n\n§ 1. Opłata za posiadanie psa wynosi {} zł rocznie.\n\n§ 2. Opłatę wnosi się do 31 marca.\n"
OTHERS = "# Czystość\n\nWłaściciel sprząta po psie na chodniku i w parku. Za brak smyczy grozi mandat.\n"
SOON = timezone.localdate() + timedelta(days=40)
NOBODY = AnonymousUser()


@pytest.fixture(scope="module")
def kept_act(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        index_text(public, OTHERS, name="czystosc.md")
        for year, amount in ((2020, 40), (2023, 60), (2025, 90)):
            document = index_text(
                public, TEXT.format(amount), name="pies.md", valid_from=date(year, 1, 1), title="Opłata za psa"
            )
        return document


@pytest.fixture
def act(kept_act: Document, db: None) -> Document:
    """An act of three wordings: 2020, 2023 and 2025."""
    return copy(kept_act)


def asked(question: str, **filters: object) -> Answer:
    return answer_question(question, viewer=NOBODY, filters=Filters(**filters), save=False, cached=False)  # type: ignore[arg-type]


def found(query: str, **filters: object) -> SearchResult:
    return search_passages(query=query, viewer=NOBODY, filters=Filters(**filters))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "amount", "said"),
    [
        ("Ile wynosi opłata za psa?", 90, False),
        ("Ile wynosiła opłata za psa w 2021 roku?", 40, True),
        ("Ile wynosiła opłata za psa 5 marca 2024 r.?", 60, True),
        ("Ile wynosiła opłata za psa przed zmianą uchwały?", 60, True),
        ("Ile dawniej wynosiła opłata za psa?", 60, True),
    ],
)
def test_a_question_finds_what_was_in_force_when_it_asks(act: Document, question: str, amount: int, said: bool) -> None:
    answer = asked(question)
    assert f"{amount} zł" in answer.text
    assert ("as_of" in {notice.code for notice in answer.notices}) == said
    assert ("w mocy" in answer.citations[0].title) == said


def test_a_filter_names_the_day(act: Document) -> None:
    assert "60 zł" in asked("Ile wynosi opłata za psa?", valid_on=date(2023, 12, 31)).text
    assert "90 zł" in asked("Ile wynosi opłata za psa?", valid_on=date(2025, 1, 1)).text
    texts = [passage.text for passage in found("opłata za psa", valid_on=date(2021, 5, 5)).passages]
    assert any("40 zł" in text for text in texts)
    assert not any("60 zł" in text or "90 zł" in text for text in texts)


def test_an_answer_of_today_says_until_when_it_was_another(act: Document) -> None:
    (notice,) = asked("Ile wynosi opłata za psa?").notices
    assert (notice.code, "31 grudnia 2024" in notice.message) == ("former_wording", True)
    assert asked("Kto sprząta po psie?").notices == ()


@pytest.mark.parametrize(("as_of", "amount"), [("2021-06-01", 40), ("2023-02", 60), ("2026", 90)])
def test_programs_ask_as_of_a_day_a_month_or_a_year(act: Document, client: Client, as_of: str, amount: int) -> None:
    asked = {"question": "Ile wynosi opłata za psa?", "as_of": as_of}
    assert f"{amount} zł" in client.post("/api/ask", asked, content_type="application/json").json()["text"]
    found = client.get("/api/search", {"query": "opłata za psa", "as_of": as_of}).json()["passages"]
    assert {str(amount)} == {n for n in ("40", "60", "90") for one in found if f"{n} zł" in one["text"]}


def test_what_is_no_time_is_refused_with_the_remedy(act: Document, client: Client) -> None:
    refused = client.get("/api/search", {"query": "opłata", "as_of": "dawno"})
    assert refused.status_code == 400
    assert "2024-03" in refused.content.decode()


def test_a_time_with_nothing_in_force_finds_nothing_and_offers_today(public: Collection, index: AddDocument) -> None:
    index(public, TEXT.format(90), name="pies.md", valid_from=date(2025, 1, 1))
    answer = asked("Ile wynosi opłata za psa według stanu na 5 maja 2021 r.?")
    assert answer.outcome != "answered"
    (notice,) = [one for one in answer.notices if one.code == "as_of"]
    assert f"valid_on={timezone.localdate().isoformat()}" in notice.url


def test_a_text_that_is_not_yet_in_force_leaves_the_former_one_in_force(public: Collection, index: AddDocument) -> None:
    index(public, TEXT.format(40), name="pies.md", valid_from=date(2020, 1, 1))
    index(public, TEXT.format(95), name="pies.md", valid_from=SOON)
    answer = asked("Ile wynosi opłata za psa?")
    assert "40 zł" in answer.text
    (notice,) = [one for one in answer.notices if one.code == "coming_wording"]
    assert f"valid_on={SOON.isoformat()}" in notice.url
    assert "95 zł" in asked("Ile wynosi opłata za psa?", valid_on=SOON).text


def test_what_was_in_force_is_meant_though_the_text_of_today_names_the_year_too(
    public: Collection, index: AddDocument
) -> None:
    former = TEXT.format(40) + "\n§ 3. Stawka obowiązuje do 31 grudnia 2024 r.\n"
    today = TEXT.format(90) + "\n§ 3. Stawka zastępuje tę z 2024 r.\n"
    index(public, former, name="pies-2024.md", valid_from=date(2023, 1, 1), valid_to=date(2024, 12, 31))
    index(public, today, name="pies-2025.md", valid_from=date(2025, 1, 1))
    assert "40 zł" in asked("Ile wynosiła opłata za psa w 2024 roku?").text


@pytest.mark.parametrize(
    "question", ["Co mówi uchwała z 5 marca 2021 r. o opłacie za psa?", "Do 31 marca 2021 opłata?"]
)
def test_a_date_of_a_thing_moves_nothing(act: Document, question: str) -> None:
    assert "as_of" not in {notice.code for notice in asked(question).notices}


def test_a_word_of_an_earlier_version_alone_is_nowhere_else(
    public: Collection, index: AddDocument, client: Client, superuser: User
) -> None:
    old = "# Regulamin\n\nWniosek składa się na formularzu kwarcytowym w kancelarii. Jan Kowalski, tel. 601 234 567.\n"
    index(public, old, name="regulamin.md", valid_from=date(2020, 1, 1))
    index(
        public, "# Regulamin\n\nWniosek składa się elektronicznie.\n", name="regulamin.md", valid_from=date(2024, 1, 1)
    )
    assert found("formularz kwarcytowy", valid_on=date(2021, 1, 1)).passages
    assert not any("kwarcyt" in passage.text for passage in found("formularz kwarcytowy").passages)
    assert not any("kwarcyt" in passage.text for passage in found("kwarcytowy", include_expired=True).passages)
    client.force_login(superuser)
    addresses = [
        "/", "/library/", "/library/?q=kwarcytowy", "/library/publiczna/", "/api/documents", "/api/collections",
        "/api/search?query=kwarcytowy", "/admin/ingestion/document/", "/admin/ingestion/chunk/?q=kwarcytowym",
        "/admin/ingestion/collection/", "/admin/",
    ]  # fmt: skip
    for address in addresses:
        page = client.get(address)
        assert page.status_code == 200, address
        assert "formularzu" not in page.content.decode(), address
        assert "~" not in page.content.decode().replace("~=", ""), address
    assert client.get("/api/documents").json()["count"] == 1


def test_an_earlier_version_is_read_by_those_who_read_the_document(
    act: Document, client: Client, employee: User
) -> None:
    earlier = Document.earlier_ones.get(valid_from=date(2023, 1, 1))
    page = client.get(f"/documents/{earlier.pk}/")
    assert "60 zł" in page.content.decode()
    set_document_rights(
        document=act, readers=Readers(groups=frozenset(), users=frozenset({employee.pk})), origin="editor"
    )
    assert client.get(f"/documents/{earlier.pk}/").status_code == 404
    assert not any("60 zł" in one.text for one in found("opłata za psa", valid_on=date(2024, 1, 1)).passages)
    client.force_login(employee)
    assert client.get(f"/documents/{earlier.pk}/").status_code == 200


def test_a_note_of_another_wording_is_for_who_may_read_the_document(
    public: Collection, index: AddDocument, act: Document, employee: User
) -> None:
    index(public, "# Pies\n\nOpłata za psa zależy od jego wagi.\n", name="waga.md", title="Psy")
    question = "Ile wynosi opłata za psa?"
    readers = Readers(groups=frozenset(), users=frozenset({employee.pk}))
    set_document_rights(document=act, readers=readers, origin="editor")
    codes = {one.code for one in asked(question).notices}
    assert not codes & {"former_wording", "coming_wording"}
    known = answer_question(question, viewer=employee, save=False, cached=False)
    assert "former_wording" in {one.code for one in known.notices}


def test_a_coming_wording_is_told_of_while_it_can_be_read(public: Collection, index: AddDocument) -> None:
    index(public, TEXT.format(40), name="pies.md", valid_from=date(2020, 1, 1))
    document = index(public, TEXT.format(95), name="pies.md", valid_from=SOON)
    citations = asked("Ile wynosi opłata za psa?").citations
    assert [one.since for one in other_wordings(citations)] == [SOON]
    Document.objects.filter(pk=document.pk).update(status=Document.Status.FAILED)
    assert other_wordings(citations) == []


def test_other_wordings_are_looked_up_together(
    act: Document, public: Collection, index: AddDocument, django_assert_num_queries: Any
) -> None:
    for year, amount in ((2020, 10), (2023, 20)):
        index(public, TEXT.format(amount), name="kot.md", valid_from=date(year, 1, 1), title="Opłata za psa i kota")
    citations = [
        replace(asked("Ile wynosi opłata za psa?").citations[0], document_id=document.pk, quote=f"wynosi {amount} zł")
        for document, amount in ((act, 90), (Document.objects.get(uri__contains="kot"), 20))
    ]
    with django_assert_num_queries(3):
        found = other_wordings(citations)
    assert {one.until for one in found} == {date(2024, 12, 31), date(2022, 12, 31)}


def test_an_archived_document_takes_its_earlier_versions_with_it(act: Document) -> None:
    archive_document(document=act)
    assert not any("60 zł" in one.text for one in found("opłata za psa", valid_on=date(2024, 1, 1)).passages)
    restore_document(document=act)
    assert any("60 zł" in one.text for one in found("opłata za psa", valid_on=date(2024, 1, 1)).passages)


def test_an_erasure_takes_earlier_versions_and_answers_made_of_them(act: Document, employee: User) -> None:
    answer = answer_question("Ile wynosiła opłata za psa w 2021 roku?", viewer=employee)
    assert "40 zł" in answer.text
    erase_document(document=act)
    assert not Document.of_all_times.filter(title__contains="psa").exists()
    assert Exchange.objects.get().outcome == "erased"


STAGED = """ZARZĄDZENIE NR 3/2024 BURMISTRZA z dnia 3 marca 2024 r. w sprawie wypożyczalni

§ 1. Wypożyczenie roweru miejskiego kosztuje 7 zł za godzinę.

§ 2. Kaucja za hulajnogę elektryczną wynosi 150 zł.

§ 3. Zarządzenie wchodzi w życie z dniem 1 kwietnia 2024 r., z wyjątkiem § 2, który wchodzi w życie z dniem
1 lipca 2024 r.
"""


@pytest.mark.parametrize(
    ("question", "day", "told"),
    [
        ("Ile wynosi kaucja za hulajnogę elektryczną?", date(2024, 5, 1), True),
        ("Ile wynosi kaucja za hulajnogę elektryczną?", date(2024, 7, 1), False),
        ("Ile wynosi kaucja za hulajnogę elektryczną?", None, False),
        ("Ile kosztuje wypożyczenie roweru miejskiego?", date(2024, 5, 1), False),
    ],
)
def test_a_unit_that_comes_into_force_later_than_its_act_says_so(
    public: Collection, index: AddDocument, question: str, day: date | None, told: bool
) -> None:
    index(public, STAGED, name="3.txt", valid_from=date(2024, 4, 1))
    record_amendments()
    answer = asked(question, **({"valid_on": day} if day else {}))
    assert answer.citations
    said = [notice.message for notice in answer.notices if notice.code == "later_unit"]
    assert bool(said) is told
    assert all("§ 2" in message and "1 lipca 2024" in message for message in said)


REPEALED = (
    "# Opłaty w targowisku (2023)\n\n**NIEOBOWIĄZUJĄCE. Obowiązywały od 1 stycznia 2023 r. do 28 lutego 2025 r.**\n\n"
    "## § 1. Stoiska\n\nDzienna opłata za stoisko na targowisku wynosi 11 zł i płaci się ją inkasentowi w gotówce.\n"
)
PRESENT = (
    "# Opłaty w targowisku\n\nObowiązują od 1 marca 2025 r.\n\n"
    "## § 1. Stoiska\n\nDzienna opłata za stoisko na targowisku wynosi 15 zł i płaci się ją kartą w automacie.\n"
)


@pytest.fixture
def market(public: Collection, index: AddDocument) -> Document:
    """What has ended by its own words, on which no editor has decided, beside what took its place."""
    index(public, PRESENT, name="targowisko-nowe.md")
    index(public, OTHERS, name="czystosc.md")
    repealed = index(public, REPEALED, name="targowisko-stare.md")
    record_amendments()
    return repealed


@pytest.mark.parametrize(
    ("question", "amounts"),
    [
        ("Ile wynosi dzienna opłata za stoisko?", {15}),
        ("Ile wynosiła dzienna opłata za stoisko według poprzednich zasad?", {11}),
        ("Ile wynosiła dzienna opłata za stoisko w 2024 roku?", {11}),
        ("Ile wynosiła dzienna opłata za stoisko dawniej, a ile wynosi teraz?", {11, 15}),
        ("O ile wzrosła dzienna opłata za stoisko?", {11, 15}),
    ],
)
def test_what_a_document_says_of_its_own_end_counts_until_somebody_decides(
    market: Document, question: str, amounts: set[int]
) -> None:
    text = asked(question).text
    assert {amount for amount in (11, 15) if f"{amount} zł" in text} == amounts


def test_a_comparison_says_what_was_and_what_is(market: Document) -> None:
    text = asked("Ile wynosiła dzienna opłata za stoisko dawniej, a ile wynosi teraz?").text
    was, now = text.split("Dziś:")
    assert was.startswith("Dawniej:")
    assert ("11 zł" in was, "15 zł" in now) == (True, True)


@pytest.mark.parametrize(
    "question", ["Ile dawniej wynosiła opłata za psa, a ile wynosi teraz?", "O ile wzrosła opłata za psa?"]
)
def test_of_several_wordings_the_last_but_one_is_compared_with_today_s(act: Document, question: str) -> None:
    was, now = asked(question).text.split("Dziś:")
    assert ("60 zł" in was, "90 zł" in now) == (True, True)


def test_a_rule_that_is_yet_to_come_is_no_former_one(market: Document, public: Collection, index: AddDocument) -> None:
    index(
        public, PRESENT.replace("1 marca 2025 r.", f"{date_format(SOON)}").replace("15 zł", "19 zł"), name="coming.md"
    )
    record_amendments()
    text = asked("Ile wynosiła dzienna opłata za stoisko dawniej, a ile wynosi teraz?").text
    assert "19 zł" not in text


def test_what_has_ended_says_so_beside_its_title(market: Document) -> None:
    (citation, *_) = asked("Ile wynosiła dzienna opłata za stoisko w 2024 roku?").citations
    assert "28 lutego 2025" in citation.title


def test_a_search_still_finds_what_has_ended_and_a_year_asks_for_it(market: Document) -> None:
    texts = [passage.text for passage in found("dzienna opłata za stoisko").passages]
    assert ["15 zł" in texts[0], "11 zł" in texts[1]] == [True, True]
    assert "11 zł" in asked("Co mówią opłaty w targowisku z 2023 roku o stoisku?").text


def test_an_end_that_an_editor_rejected_is_none(market: Document) -> None:
    market.validity_proposals.update(decision=ValidityProposal.Decision.REJECTED)
    texts = [passage.text for passage in found("dzienna opłata za stoisko").passages]
    assert {amount for amount in (11, 15) for text in texts if f"{amount} zł" in text} == {11, 15}
    assert not any(passage.held for passage in found("dzienna opłata za stoisko").passages)


def test_what_has_ended_is_found_where_nothing_took_its_place(public: Collection, index: AddDocument) -> None:
    index(public, REPEALED, name="targowisko-stare.md")
    index(public, OTHERS, name="czystosc.md")
    record_amendments()
    answer = asked("Ile wynosi dzienna opłata za stoisko?")
    assert "11 zł" in answer.text
    assert "28 lutego 2025" in answer.citations[0].title


def test_where_no_former_rule_is_known_today_s_is_told_and_that_it_is_today_s(
    public: Collection, index: AddDocument
) -> None:
    index(public, PRESENT, name="targowisko.md")
    answer = asked("Ile wynosiła dzienna opłata za stoisko według poprzednich zasad?")
    assert "15 zł" in answer.text
    assert [notice.code for notice in answer.notices] == ["as_of_unknown"]
