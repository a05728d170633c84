"""The library shows each reader what they may read, and knows of nothing else."""

import re
from copy import deepcopy
from datetime import date, timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from ingestion.models import Collection, Document
from tests.conftest import AddDocument, index_text, make_internal, make_public, make_restricted
from tests.kept import Kept

TEXT = "# Regulamin\n\nPracownikowi przysługuje 26 dni urlopu wypoczynkowego.\n"


def page(client: Client, address: str = "/library/", **query: object) -> str:
    response = client.get(address, query)
    assert response.status_code == 200
    return unescape(response.content.decode())


def titles(shown: str) -> list[str]:
    return re.findall(r'<h[23]><a href="/documents/[^"]*">([^<]*)</a>', shown)


def cards(shown: str) -> list[tuple[str, str]]:
    """(address, number of documents)"""
    return re.findall(r'<h2><a href="(/library/[^"]+)">.*?class="card-facts"><span>(\d+)', shown, re.DOTALL)


@pytest.fixture(scope="module")
def kept_documents(kept_rows: Kept) -> list[Document]:
    with kept_rows.writing():
        public = make_public()
        internal = make_internal()
        restricted = make_restricted()
        return [
            index_text(public, TEXT, name="a.md", title="Regulamin urlopów", tags=["kadry"], category="prawo"),
            index_text(internal, TEXT + "!", name="b.md", title="Instrukcja urlopowa"),
            index_text(restricted, TEXT + "?", name="c.md", title="Urlopy zarządu"),
        ]


@pytest.fixture
def documents(kept_documents: list[Document], db: None) -> list[Document]:
    return deepcopy(kept_documents)


def test_each_reader_sees_their_collections_and_counts(
    client: Client, documents: list[Document], employee: User, member: User
) -> None:
    assert cards(page(client)) == [("/library/publiczna/", "1")]
    client.force_login(employee)
    assert cards(page(client)) == [("/library/publiczna/", "1"), ("/library/wewnetrzna/", "1")]
    client.force_login(member)
    assert len(cards(page(client))) == 3


def test_a_document_that_readers_cannot_open_is_not_counted(client: Client, documents: list[Document]) -> None:
    Document.objects.filter(pk=documents[0].pk).update(status=Document.Status.ARCHIVED)
    assert cards(page(client)) == [("/library/publiczna/", "0")]
    assert titles(page(client, "/library/publiczna/")) == []
    assert titles(page(client, q="urlop")) == []
    assert "kadry" not in page(client, "/library/publiczna/")


def test_a_collection_of_others_is_as_good_as_none(client: Client, documents: list[Document], member: User) -> None:
    assert client.get("/library/poufna/").status_code == client.get("/library/nie-ma/").status_code == 404
    client.force_login(member)
    assert titles(page(client, "/library/poufna/")) == ["Urlopy zarządu"]


def test_search_finds_readable_documents_only(client: Client, documents: list[Document], member: User) -> None:
    assert titles(page(client, q="urlop")) == ["Regulamin urlopów"]
    client.force_login(member)
    assert set(titles(page(client, q="urlop"))) == {"Regulamin urlopów", "Instrukcja urlopowa", "Urlopy zarządu"}
    assert titles(page(client, "/library/poufna/", q="urlop")) == ["Urlopy zarządu"]


def test_a_result_shows_the_passage_with_its_hits_and_leads_to_it(client: Client, documents: list[Document]) -> None:
    shown = page(client, q="ile dni urlopu wypoczynkowego")
    assert '<mark class="hit">urlopu</mark>' in shown
    address = re.findall(r'<h3><a href="(/documents/[^"]+)"', shown)[0]
    assert address.endswith("#cytat")
    assert 'id="cytat"' in page(client, address.partition("#")[0])


@pytest.mark.parametrize("words", ["regulaminu", "REGULAMIN", "regul", "regulaminy urlopow", "urlopy"])
def test_titles_are_found_in_every_inflection_and_without_diacritics(
    client: Client, documents: list[Document], words: str
) -> None:
    shown = page(client, q=words)
    assert titles(shown)[0] == "Regulamin urlopów"


def test_covered_data_in_a_title_are_neither_shown_nor_found(
    client: Client, public: Collection, index: AddDocument, superuser: User
) -> None:
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    public.refresh_from_db()
    index(public, "Treść wniosku.", name="w.txt", title="Wniosek PESEL 44051401359", tags=["44051401359", "wnioski"])
    assert titles(page(client, q="44051401359")) == []
    shown = page(client, "/library/publiczna/")
    assert "44051401359" not in shown
    assert titles(shown) == ["Wniosek PESEL •••••••••••"]
    assert "wnioski" in shown
    client.force_login(superuser)
    assert titles(page(client, q="44051401359")) == ["Wniosek PESEL 44051401359"]


def test_the_list_is_narrowed_and_sorted(client: Client, public: Collection, index: AddDocument) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    index(public, "Pierwszy.", name="1.txt", title="Ćwiczenia", category="szkolenia", valid_to=yesterday)
    index(public, "Drugi.", name="2.txt", title="Czynsze", category="prawo", tags=["lokale"])
    index(public, "Trzeci.", name="3.txt", title="Dachy", language="en", valid_from=date(2024, 1, 1))
    address = "/library/publiczna/"
    assert titles(page(client, address)) == ["Czynsze", "Ćwiczenia", "Dachy"]
    assert titles(page(client, address, order="newest")) == ["Dachy", "Czynsze", "Ćwiczenia"]
    assert titles(page(client, address, order="in_force")) == ["Dachy", "Czynsze", "Ćwiczenia"]
    assert titles(page(client, address, category="szkolenia")) == ["Ćwiczenia"]
    assert titles(page(client, address, tag="lokale")) == ["Czynsze"]
    assert titles(page(client, address, language="en")) == ["Dachy"]
    assert titles(page(client, address, in_force="1")) == ["Czynsze", "Dachy"]
    assert titles(page(client, address, category="nie ma takiej", order="x", page="x")) == [
        "Czynsze",
        "Ćwiczenia",
        "Dachy",
    ]
    assert page(client, address).count("badge expired") == 1


def test_a_narrowed_search_stays_in_what_is_narrowed_to(client: Client, public: Collection, index: AddDocument) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    index(public, "Stary czynsz.", name="1.txt", title="Stary czynsz", valid_to=yesterday)
    index(public, "Nowy czynsz.", name="2.txt", title="Nowy czynsz")
    assert set(titles(page(client, "/library/publiczna/", q="czynsze"))) == {"Stary czynsz", "Nowy czynsz"}
    assert titles(page(client, "/library/publiczna/", q="czynsze", in_force="1")) == ["Nowy czynsz"]


def test_long_lists_have_pages(client: Client, public: Collection) -> None:
    Document.objects.bulk_create(
        Document(collection=public, title=f"Dokument {n:03}", uri=str(n), status=Document.Status.READY)
        for n in range(51)
    )
    assert len(titles(page(client, "/library/publiczna/"))) == 50
    shown = page(client, "/library/publiczna/", page=2, order="title")
    assert titles(shown) == ["Dokument 050"]
    assert "?order=title&page=1" in shown


def test_an_empty_library_says_what_to_do(client: Client, public: Collection, superuser: User) -> None:
    assert "/accounts/login" in page(client) or "login" in page(client)
    client.force_login(superuser)
    assert "/admin/ingestion/document/add/" in page(client)


def test_too_many_searches_are_refused(client: Client, documents: list[Document], settings: object) -> None:
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "search": "1/min"}  # type: ignore[attr-defined]
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}  # type: ignore[attr-defined]
    assert client.get("/library/", {"q": "urlop"}).status_code == 200
    assert client.get("/library/", {"q": "urlop"}).status_code == 429


@pytest.mark.parametrize("address", ["/library/", "/library/publiczna/"])
def test_nothing_from_outside_and_nothing_inline(client: Client, documents: list[Document], address: str) -> None:
    response = client.get(address, {"q": '"><script>alert(1)</script>'})
    assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")
    markup = response.content.decode()
    assert "<script>alert" not in markup
    assert "style=" not in markup


def kinds_of(shown: str) -> list[tuple[str, str]]:
    """(key, words with the number of documents)"""
    select = re.search(r'<select id="by-kind".*?</select>', shown, re.DOTALL)
    return re.findall(r'value="([^"]+)"[^>]*>([^<]*)<', select[0]) if select else []


@pytest.fixture
def of_three_kinds(public: Collection, index: AddDocument) -> Collection:
    index(public, TEXT, name="a.md", title="Regulamin")
    index(public, "Parkowanie kosztuje 3 zł.", name="b.txt", title="Parkowanie")
    index(public, "nazwa;cena\nbilet;3\nkarta;5\n", name="c.csv", title="Cennik")
    index(public, "<html><body><p>Urlop trwa 26 dni.</p></body></html>", name="d.html", title="Strona o urlopie")
    return public


def test_the_list_is_narrowed_by_kinds_in_words_that_people_know(client: Client, of_three_kinds: Collection) -> None:
    shown = page(client, "/library/publiczna/")
    assert kinds_of(shown) == [
        ("text", "Tekst (2)"),
        ("sheet", "Arkusz kalkulacyjny (1)"),
        ("web", "Strona WWW (1)"),
    ]
    assert titles(page(client, "/library/publiczna/", kind="text")) == ["Parkowanie", "Regulamin"]
    assert titles(page(client, "/library/publiczna/", kind="web")) == ["Strona o urlopie"]
    assert len(titles(page(client, "/library/publiczna/", kind="pdf"))) == 4, "what is not offered narrows nothing"


def test_the_search_of_a_collection_keeps_to_the_kind(client: Client, of_three_kinds: Collection) -> None:
    assert set(titles(page(client, "/library/publiczna/", q="urlop"))) >= {"Strona o urlopie", "Regulamin"}
    assert titles(page(client, "/library/publiczna/", q="urlop", kind="web")) == ["Strona o urlopie"]


def test_only_kinds_that_the_reader_may_open_are_offered(client: Client, of_three_kinds: Collection) -> None:
    Document.objects.filter(title="Cennik").update(status=Document.Status.ARCHIVED)
    shown = page(client, "/library/publiczna/")
    assert [key for key, _ in kinds_of(shown)] == ["text", "web"]
    Document.objects.filter(title="Strona o urlopie").update(status=Document.Status.ARCHIVED)
    assert kinds_of(page(client, "/library/publiczna/")) == [], "one kind is no choice"
