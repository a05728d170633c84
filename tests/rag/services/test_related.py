"""Documents beside an answer, from the answer to the page, the API and what is stored."""

from copy import copy
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.models import Collection, Document
from ingestion.services.documents import archive_document
from rag.chat.asking.event_html import EventHtml
from rag.events import Completed
from rag.models import CachedAnswer, Exchange
from rag.presets import preset
from rag.selectors import shared_exchanges, shown_exchanges
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from rag.services.erasure import erase_from_conversations
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

pytestmark = pytest.mark.django_db

QUESTION = "Ile kosztuje duplikat?"
UNSAVED: dict[str, Any] = {"viewer": AnonymousUser(), "save": False}


@pytest.fixture(scope="module")
def kept_cited(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(
            make_public(), "Duplikat kosztuje 20 zł, wydaje go Referat Spraw Obywatelskich.", name="karta.txt"
        )


@pytest.fixture
def cited(kept_cited: Document, db: None) -> Document:
    return copy(kept_cited)


def registration(collection: Collection, index: AddDocument) -> Document:
    """A document that no word of the question finds."""
    return index(collection, "Meldunek prowadzi Referat Spraw Obywatelskich.", name="b.txt", title="Meldunek")


@pytest.fixture
def related(cited: Document, public: Collection, index: AddDocument) -> Document:
    return registration(public, index)


def test_the_page_names_them_at_once_and_after_a_reload(related: Document, client: Client) -> None:
    page = client.post(reverse("chat:ask"), {"question": QUESTION}, follow=True)
    again = client.get(page.redirect_chain[-1][0]).content.decode()
    for shown in (page.content.decode(), again):
        assert "Zobacz też" in shown
        assert f'<a href="/documents/{related.pk}/">Meldunek</a>' in shown
        assert "wspólna nazwa: Referat Spraw Obywatelskich" in shown


def test_the_stream_ends_with_them(related: Document) -> None:
    events = list(ask(AskRequest(question=QUESTION, **UNSAVED)))
    (html,) = [EventHtml(QUESTION)(event) for event in events if isinstance(event, Completed)]
    assert f'<a href="/documents/{related.pk}/">Meldunek</a>' in html


def test_the_api_has_them_beside_the_citations(related: Document, cited: Document, client: Client) -> None:
    answer = client.post("/api/ask", {"question": QUESTION}, content_type="application/json").json()
    (one,) = answer["related"]
    assert (one["document_id"], one["title"], one["collection"]) == (related.pk, "Meldunek", "publiczna")
    assert {citation["document_id"] for citation in answer["citations"]} == {cited.pk}


def test_a_preset_says_how_many(related: Document, employee: User) -> None:
    assert preset("offline").related == preset("balanced").related == 3
    assert preset("fast").related == 0
    assert answer_question(QUESTION, **UNSAVED).related
    assert not answer_question(QUESTION, parts={"related": 0}, viewer=employee, save=False).related


def test_an_answer_without_sources_has_none(related: Document) -> None:
    assert answer_question("Jaka jest stolica Australii?", **UNSAVED).related == ()
    assert answer_question(QUESTION, synthesize=False, **UNSAVED).related == ()


def test_nothing_of_them_is_kept_but_their_number(related: Document) -> None:
    list(ask(AskRequest(question=QUESTION, viewer=AnonymousUser())))
    stored = Exchange.objects.get()
    assert [set(item) for item in stored.related] == [{"document_id", "names", "near"}]
    assert stored.related[0]["document_id"] == related.pk
    assert related.pk not in stored.documents


def test_a_stored_answer_names_only_what_its_reader_may_open_today(
    cited: Document, restricted: Collection, index: AddDocument, member: User, employee: User
) -> None:
    closed = registration(restricted, index)
    list(ask(AskRequest(question=QUESTION, viewer=member)))
    conversation = Exchange.objects.get().conversation
    assert [one.document_id for one in shown_exchanges(conversation, member)[0].related] == [closed.pk]
    (shared,) = shared_exchanges(conversation, employee)
    assert not shared.hidden
    assert shared.related == ()
    archive_document(document=closed)
    assert shown_exchanges(conversation, member)[0].related == ()


def test_a_stored_answer_names_no_document_that_has_expired_since(related: Document, employee: User) -> None:
    list(ask(AskRequest(question=QUESTION, viewer=employee)))
    conversation = Exchange.objects.get().conversation
    today = timezone.localdate()
    for last_day, named in ((today, True), (today - timedelta(days=1), False)):
        Document.objects.filter(pk=related.pk).update(valid_to=last_day)
        assert bool(shown_exchanges(conversation, employee)[0].related) is named


def test_titles_are_covered_for_readers_without_the_permission(
    related: Document, public: Collection, employee: User
) -> None:
    list(ask(AskRequest(question=QUESTION, viewer=employee)))
    Document.objects.filter(pk=related.pk).update(title="Meldunek, jan.kowalski@example.pl")
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    (shown,) = shown_exchanges(Exchange.objects.get().conversation, employee)
    assert "jan.kowalski" not in shown.related[0].title


def test_a_kept_answer_goes_with_a_document_that_it_names(related: Document) -> None:
    answer_question(QUESTION, **UNSAVED)
    again = answer_question(QUESTION, **UNSAVED)
    assert again.metrics.cache == "answers"
    assert [one.document_id for one in again.related] == [related.pk]
    related.delete()
    assert not CachedAnswer.objects.exists()
    assert answer_question(QUESTION, **UNSAVED).related == ()


def test_they_are_erased_with_the_answer(related: Document, cited: Document) -> None:
    list(ask(AskRequest(question=QUESTION, viewer=AnonymousUser())))
    assert erase_from_conversations(document=related) == 0
    assert erase_from_conversations(document=cited) == 1
    assert Exchange.objects.get().related == []
