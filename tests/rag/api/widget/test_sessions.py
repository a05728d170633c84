"""Tokens of visitors: bound to widget, origin and session, over after a quarter of an hour, never more than anybody."""

import time
from typing import Any

import pytest
from django.core import signing
from django.test import Client

from ingestion.models import Collection
from knowledgetree.http.limits import SharedRateThrottle
from rag.api.widget.tokens import LONGEST_SESSION, TOKEN_SECONDS
from rag.models import Widget
from tests.ingestion.api.library import Library
from tests.rag.api.widget.visitors import ORIGIN, VisitorBrowser, make_widget

pytestmark = pytest.mark.django_db

ELSEWHERE = "https://szkola.example.pl"


@pytest.fixture
def widget(public: Collection) -> Widget:
    return make_widget(public, origins=(ORIGIN, ELSEWHERE))


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)


def test_a_token_is_over_after_a_quarter_of_an_hour(widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = VisitorBrowser(widget).open()
    later(monkeypatch, TOKEN_SECONDS - 5)
    assert visitor.post("search", query="urlop").status_code == 200
    later(monkeypatch, 10)
    response = visitor.post("search", query="urlop")
    assert (response.status_code, response.json()["code"]) == (401, "widget_token_invalid")


def test_a_session_goes_on_with_a_valid_token_alone(widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = VisitorBrowser(widget).open()
    later(monkeypatch, TOKEN_SECONDS - 5)
    assert visitor.post("session").json()["continued"] is True
    later(monkeypatch, 10)
    assert visitor.post("session").json()["continued"] is False


def test_a_session_does_not_go_on_for_ever(widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = VisitorBrowser(widget).open()
    for _renewal in range(LONGEST_SESSION // (TOKEN_SECONDS - 10)):
        later(monkeypatch, TOKEN_SECONDS - 10)
        renewed = visitor.post("session").json()
        assert renewed["continued"] is True
        visitor.token = renewed["token"]
    later(monkeypatch, TOKEN_SECONDS - 10)
    assert visitor.post("session").json()["continued"] is False


def test_a_token_is_of_no_use_elsewhere(widget: Widget) -> None:
    visitor = VisitorBrowser(widget).open()
    stolen = VisitorBrowser(widget, ELSEWHERE)
    stolen.token = visitor.token
    assert stolen.post("search", query="urlop").status_code == 401
    other = Widget.objects.create(name="Inny", assistant=widget.assistant, origins=[ORIGIN])
    stolen = VisitorBrowser(other)
    stolen.token = visitor.token
    assert stolen.post("search", query="urlop").status_code == 401


def test_a_token_that_nobody_signed_here_opens_nothing(widget: Widget) -> None:
    visitor = VisitorBrowser(widget)
    claims: list[Any] = [widget.public_id, ORIGIN, "widget-x", int(time.time())]
    signed_for_something_else = signing.dumps(claims, salt="elsewhere")
    no_claims = signing.dumps("widget", salt="rag.api.widget")
    for token in ("", "x", "a:b:c", signed_for_something_else, no_claims):
        visitor.token = token
        assert visitor.post("search", query="urlop").status_code == 401, token


@pytest.mark.parametrize("viewer", ["anonymous", "member", "superuser"])
def test_a_visitor_sees_what_anybody_may_see_whoever_is_signed_in(library: Library, viewer: str) -> None:
    widget = make_widget(*library.collections.values())
    visitor = VisitorBrowser(widget, client=library.client(viewer)).open()
    found = visitor.post("search", query="urlop wypoczynkowy", top_k=20).json()["passages"]
    assert {passage["collection"] for passage in found} == {"public"}


def test_a_visitor_searches_where_the_assistant_does(library: Library) -> None:
    other = Collection.objects.create(name="Inna", slug="inna", visibility="public")
    visitor = VisitorBrowser(make_widget(other)).open()
    assert visitor.post("search", query="urlop wypoczynkowy").json()["passages"] == []


def test_no_option_widens_what_a_visitor_searches(library: Library) -> None:
    other = Collection.objects.create(name="Inna", slug="inna", visibility="public")
    visitor = VisitorBrowser(make_widget(other)).open()
    for option in ({"assistant": ""}, {"filters": {"collections": ["public"]}}, {"preset": "accurate"}):
        assert visitor.post("search", query="urlop wypoczynkowy", **option).json()["passages"] == []


def test_a_session_has_a_limit_of_its_own(widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SharedRateThrottle.THROTTLE_RATES, "widget_session", "2/hour")
    visitor = VisitorBrowser(widget).open()
    assert [visitor.post("search", query="urlop").status_code for _again in range(3)] == [200, 200, 429]
    refused = visitor.post("search", query="urlop")
    assert int(refused.headers["Retry-After"]) > 0
    assert refused.headers["Access-Control-Expose-Headers"] == "Retry-After"
    assert VisitorBrowser(widget).open().post("search", query="urlop").status_code == 200


def test_new_sessions_are_limited_by_address(widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SharedRateThrottle.THROTTLE_RATES, "widget", "2/hour")
    begun = [VisitorBrowser(widget, client=Client()).post("session").status_code for _again in range(3)]
    assert begun == [200, 200, 429]


def test_questions_count_with_those_of_the_address(widget: Widget, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SharedRateThrottle.THROTTLE_RATES, "search", "2/hour")
    client = Client()
    assert client.get("/api/search", {"query": "urlop"}).status_code == 200
    visitor = VisitorBrowser(widget, client=client).open()
    assert [visitor.post("search", query="urlop").status_code for _again in range(2)] == [200, 429]
