"""“Report a gap” without JavaScript, and the piece of the page that the script puts in place of its form."""

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from ingestion.models import Collection
from rag.chat.limits import FeedbackLimit
from rag.models import Exchange, GapReport
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def exchange(client: Client, employee: User, public: Collection) -> Exchange:
    client.force_login(employee)
    return said(talk(employee), "Gdzie jest kwarcolit?", "Nie.", collections=(public,), outcome="not_found")


def send(client: Client, exchange: Exchange, **fields: str):  # type: ignore[no-untyped-def]
    return client.post("/gaps/", {"exchange": str(exchange.pk), **fields})


def test_a_report_is_kept_and_the_page_says_so_from_then_on(client: Client, exchange: Exchange) -> None:
    page = client.get(f"/c/{exchange.conversation_id}/").content.decode()
    assert "Zgłoś brak" in page
    response = send(client, exchange, comment="Złoże w Lipowie.")
    assert response.headers["Location"] == f"/c/{exchange.conversation_id}/#{exchange.pk}"
    assert GapReport.objects.get().comment == "Złoże w Lipowie."
    page = client.get(f"/c/{exchange.conversation_id}/").content.decode()
    assert "Zgłoś brak" not in page
    assert "Zgłoszono, dziękujemy." in page


def test_the_script_gets_the_confirmation_alone(client: Client, exchange: Exchange) -> None:
    fragment = send(client, exchange, fragment="1").content.decode()
    assert "Zgłoszono, dziękujemy." in fragment
    assert "<html" not in fragment


@pytest.mark.parametrize("how", [{}, {"fragment": "1"}])
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    client: Client, exchange: Exchange, how: dict[str, str]
) -> None:
    response = send(client, exchange, comment="x" * 501, **how)
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    assert "x" * 501 in response.content.decode()
    assert not GapReport.objects.exists()


def test_nobody_reports_what_they_do_not_see(client: Client, exchange: Exchange, member: User) -> None:
    other = Client()
    assert send(other, exchange).status_code == 404
    other.force_login(member)
    assert send(other, exchange).status_code == 404
    assert client.post("/gaps/", {"exchange": "x"}).status_code == 404
    assert client.get("/gaps/").status_code == 405
    assert not GapReport.objects.exists()


def test_a_report_needs_the_token_of_the_form(exchange: Exchange, employee: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(employee)
    assert send(strict, exchange).status_code == 403


def test_too_many_reports_are_refused(client: Client, exchange: Exchange, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(FeedbackLimit, "get_rate", lambda _limit: "1/min")
    assert send(client, exchange).status_code == 302
    refused = send(client, exchange, fragment="1")
    assert refused.status_code == 429
    assert "Zbyt wiele zgłoszeń" in refused.content.decode()


def test_an_answer_offers_no_report(client: Client, employee: User, public: Collection) -> None:
    client.force_login(employee)
    answered = said(talk(employee), "Ile trwa urlop?", "26 dni.", collections=(public,))
    assert "Zgłoś brak" not in client.get(f"/c/{answered.conversation_id}/").content.decode()
    assert send(client, answered).status_code == 400
