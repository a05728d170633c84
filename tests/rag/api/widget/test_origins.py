"""Where a widget may be used: on pages of the origins that it allows, and nowhere else."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from ingestion.models import Collection
from rag.models import Widget
from rag.models.widgets import origin_of
from tests.rag.api.widget.visitors import ORIGIN, VisitorBrowser, make_widget

pytestmark = pytest.mark.django_db

CORS = {"Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Credentials"}


@pytest.fixture
def widget(public: Collection) -> Widget:
    return make_widget(public)


def test_an_allowed_page_begins_a_session_without_a_cookie(widget: Widget) -> None:
    response = VisitorBrowser(widget).post("session")
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Origin" in response.headers["Vary"]
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert not response.cookies
    told = response.json()
    assert (told["name"], told["suggestions"], told["continued"]) == ("Zapytaj urząd", ["Ile trwa urlop?"], False)


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "http://gmina.example.pl",
        "https://gmina.example.pl:8443",
        "https://gmina.example.pl.evil.com",
        "https://evil.com/https://gmina.example.pl",
        "https://evilgmina.example.pl",
        "https://www.gmina.example.pl",
        "https://GMINA.example.pl",
        "https://gmina.example.pl/",
        "https://gmina.example.pl, https://evil.com",
    ],
)
def test_what_only_looks_like_an_allowed_origin_is_refused(widget: Widget, origin: str) -> None:
    visitor = VisitorBrowser(widget, origin)
    response = visitor.post("session")
    assert (response.status_code, response.json()["code"]) == (403, "origin_not_allowed")
    assert not CORS & set(response.headers)
    preflight = visitor.client.options(visitor.address("ask"), headers=visitor.headers())
    assert preflight.status_code == 403
    assert not CORS & set(preflight.headers)


def test_nothing_is_allowed_by_default(widget: Widget) -> None:
    Widget.objects.update(origins=[])
    assert VisitorBrowser(widget).post("session").status_code == 403


def test_a_preflight_tells_an_allowed_page_what_it_may_send(widget: Widget) -> None:
    visitor = VisitorBrowser(widget)
    response = visitor.client.options(visitor.address("ask"), headers=visitor.headers())
    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert response.headers["Access-Control-Allow-Methods"] == "POST"
    assert response.headers["Access-Control-Allow-Headers"] == "Authorization, Content-Type"


def test_no_other_address_lets_pages_of_others_read_it(widget: Widget, client: Client) -> None:
    for address in ("/api/ask", "/api/search?query=urlop", "/api/feedback", "/api/collections"):
        for response in (
            client.get(address, headers={"Origin": ORIGIN}),
            client.options(address, headers={"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}),
        ):
            assert not CORS & set(response.headers), address


def test_errors_can_be_read_by_an_allowed_page(widget: Widget) -> None:
    response = VisitorBrowser(widget).post("ask", question="Ile trwa urlop?")
    assert (response.status_code, response.json()["code"]) == (401, "widget_token_invalid")
    assert response.headers["Access-Control-Allow-Origin"] == ORIGIN


def test_an_origin_that_is_taken_away_is_refused_at_once(widget: Widget) -> None:
    visitor = VisitorBrowser(widget).open()
    assert visitor.post("search", query="urlop").status_code == 200
    Widget.objects.update(origins=["https://inna.example.pl"])
    assert visitor.post("search", query="urlop").status_code == 403


@pytest.mark.parametrize("change", ["widget", "assistant", "collection", "gone"])
def test_a_widget_that_answers_nobody_any_more_stops_at_once(widget: Widget, public: Collection, change: str) -> None:
    visitor = VisitorBrowser(widget).open()
    if change == "widget":
        Widget.objects.update(enabled=False)
    elif change == "assistant":
        widget.assistant.enabled = False
        widget.assistant.save()
    elif change == "collection":
        Collection.objects.filter(pk=public.pk).update(visibility=Collection.Visibility.INTERNAL)
    else:
        widget.assistant.delete()
    response = visitor.post("search", query="urlop")
    assert response.status_code == 404
    assert not CORS & set(response.headers)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://example.pl", "https://example.pl"),
        (" HTTPS://Example.PL/ ", "https://example.pl"),
        ("https://example.pl:443", "https://example.pl"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://żółw.pl", "https://xn--w-uga1v8h.pl"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_an_origin_is_kept_as_browsers_write_it(written: str, meant: str) -> None:
    assert origin_of(written) == meant


@pytest.mark.parametrize(
    "written",
    ["*", "null", "example.pl", "https://*.example.pl", "https://example.pl/strona", "file:///dom", "https://a b.pl",
     "https://u:p@example.pl", "https://example.pl:port", "javascript:alert(1)", "https://example.pl?a=1", ""],
)  # fmt: skip
def test_what_is_no_origin_is_refused(written: str) -> None:
    with pytest.raises(ValidationError):
        origin_of(written)
