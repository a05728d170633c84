"""What may be asked next: headings beside what was cited, as their authors wrote them."""

from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ingestion.models import Chunk, Collection, Document
from rag.chat.asking.event_html import EventHtml
from rag.events import Completed
from rag.models import Exchange
from rag.selectors.headings import headings_around, is_for_everyone
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from rag.services.topics import MOST, topics_of
from rag.types import Answer, Passage
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

QUESTION = "Ile dni urlopu wypoczynkowego przysługuje pracownikowi?"
RULES = """# Regulamin urlopów

## § 1. Postanowienia ogólne

Regulamin stosuje się do wszystkich pracowników zatrudnionych w urzędzie gminy na podstawie umowy o pracę.

## § 2. Wymiar urlopu wypoczynkowego

Pracownikowi przysługuje 26 dni urlopu wypoczynkowego w każdym roku kalendarzowym przepracowanym w urzędzie.

## § 3. Urlop na żądanie

Cztery dni w roku wolno wziąć na żądanie, zgłaszając to najpóźniej w dniu rozpoczęcia nieobecności w pracy.

## § 4. Wniosek

Formularz składa się w sekretariacie, najpóźniej siedem dni przed rozpoczęciem planowanej nieobecności w pracy.

## § 5. Urlop a choroba

Choroba przerywa wypoczynek, a niewykorzystane dni przesuwa się na inny termin uzgodniony z przełożonym.

## § 6. Telefon 601 234 567

Pod tym numerem dyżuruje kadrowa, która odpowiada na wszystkie pytania pracowników urzędu gminy.
"""


@pytest.fixture(scope="module")
def kept_rules(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(make_public(), RULES, name="regulamin.md", title="Regulamin urlopów")


@pytest.fixture
def rules(kept_rules: Document, db: None) -> Document:
    return copy(kept_rules)


def answered(viewer: Any = None) -> Answer:
    return answer_question(QUESTION, viewer=viewer or AnonymousUser(), save=False, cached=False)


def test_sections_beside_the_cited_one_are_offered_as_their_author_called_them(rules: Document) -> None:
    topics = topics_of(answered())
    assert set(topics) == {"Urlop na żądanie", "Urlop a choroba", "Regulamin urlopów: wniosek"}
    assert len(topics) == MOST


def test_what_was_asked_commonplaces_and_personal_data_are_no_topics(rules: Document) -> None:
    said = " ".join(topics_of(answered()))
    assert "Wymiar" not in said
    assert "ogólne" not in said
    assert "601" not in said


def test_headings_with_personal_data_are_given_to_nobody(rules: Document) -> None:
    headings = [heading for _, heading in headings_around(answered().citations[0])]
    assert headings[2:] == ["§ 3. Urlop na żądanie", "§ 4. Wniosek", "§ 5. Urlop a choroba", ""]
    assert [is_for_everyone(text) for text in ("Wniosek", "Telefon 601 234 567", "Telefon ••• ••• •••")] == [
        True,
        False,
        False,
    ]


def test_a_section_that_is_switched_off_is_not_offered(rules: Document) -> None:
    Chunk.objects.filter(text__contains="Choroba przerywa").update(enabled=False)
    assert "Urlop a choroba" not in topics_of(answered())


def test_only_documents_that_the_reader_may_see_give_topics(
    rules: Document, restricted: Collection, index: AddDocument, member: User
) -> None:
    index(
        restricted,
        "# Urlopy zarządu\n\n## Urlop wypoczynkowy członków zarządu\n\nCzłonkowi zarządu przysługuje 40 dni urlopu "
        "wypoczynkowego.\n",
        name="zarzad.md",
        title="Urlopy zarządu",
    )
    assert "zarząd" not in " ".join(topics_of(answered())).lower()


def passage(number: int, document: int, heading: str, *, relevance: float) -> Passage:
    return Passage(
        chunk_id=number, document_id=document, collection="k", title="Statut", uri=f"{document}.md",
        media_type="text/markdown", text="abc", start=0, end=3, line_start=1, line_end=1,
        heading_path=("Statut", heading), relevance=relevance,
    )  # fmt: skip


def test_other_documents_are_offered_where_they_fit_well(rules: Document) -> None:
    Chunk.objects.exclude(text__contains="26 dni").update(enabled=False)
    answer = answered()
    near = passage(10**6, 10**6, "Dodatkowy wypoczynek młodocianych", relevance=0.9)
    far = passage(10**6 + 1, 10**6 + 1, "Opłaty targowe i parkingowe", relevance=0.1)
    kept = tuple(one for one in answer.passages if one.document_id == rules.pk and "26 dni" in one.text)
    assert topics_of(replace(answer, passages=(*kept, near, far))) == ("Dodatkowy wypoczynek młodocianych",)


def test_nothing_is_offered_without_an_answer(rules: Document) -> None:
    assert topics_of(answer_question("Jaka jest stolica Australii?", viewer=AnonymousUser(), save=False)) == ()


def test_they_are_kept_and_shown_after_a_reload_and_ask_without_javascript(client: Client, rules: Document) -> None:
    page = client.post("/ask/", {"question": QUESTION}, follow=True).content.decode()
    assert Exchange.objects.get().topics == list(topics_of(answered()))
    assert "Zapytaj też o:" in page
    button = '<button form="composer" name="insist" value="Urlop na żądanie" formnovalidate>'
    assert button in page
    asked = {"insist": "Urlop na żądanie", "question": "", "conversation": Exchange.objects.get().conversation_id}
    page = client.post("/ask/", asked, follow=True).content.decode()
    assert "Cztery dni" in page
    assert Exchange.objects.order_by("created").last().question == "Urlop na żądanie"  # type: ignore[union-attr]


def test_they_are_looked_for_once_an_answer(rules: Document) -> None:
    with CaptureQueriesContext(connection) as captured:
        events = list(ask(AskRequest(question=QUESTION, viewer=AnonymousUser(), session_key="x" * 32)))
        (html,) = [EventHtml(QUESTION)(event) for event in events if isinstance(event, Completed)]
    kept = Exchange.objects.get().topics
    assert html.count('name="insist"') == len(kept) > 0
    assert sum("SUBSTRING" in query["sql"] for query in captured) == 1
