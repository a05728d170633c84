"""JSON feeds and any list in JSON."""

import json
from typing import Any

import pytest

from ingestion.sources import (
    FeedFields,
    FeedOptions,
    FetchedDocument,
    FetchFailure,
    Gone,
    Known,
    Outcome,
    Skipped,
    Unchanged,
    read_feed,
)
from knowledgetree.fetching import Fetcher
from tests.web_site import Page, WebSite, redirect

ITEMS: list[Any] = [
    {
        "id": "1",
        "url": "https://a.pl/1?utm_source=f",
        "title": "Pierwszy <wpis>",
        "content_html": "<p>Treść</p>",
        "date_modified": "2026-03-01T10:00:00Z",
    },
    {"id": 2, "title": "Drugi", "content_text": "Sam tekst."},
    {"id": "3", "title": "Pusty"},
    "nie wpis",
]


def feed(items: Any = ITEMS, **more: Any) -> Page:
    return Page(
        json.dumps({"version": "https://jsonfeed.org/version/1.1", "items": items, **more}),
        media_type="application/feed+json",
    )


def read(site: WebSite, known: dict[str, Known] | None = None, **options: Any) -> list[Outcome]:
    fetcher = Fetcher(**site.access)
    return list(read_feed(site.url + "/feed", fetcher=fetcher, options=FeedOptions(**options), known=known or {}))


class TestFeed:
    def test_each_entry_is_a_document(self) -> None:
        with WebSite({"/feed": feed()}) as site:
            first, second, third = read(site)
        assert isinstance(first, FetchedDocument)
        assert (first.uri, first.title, first.name) == ("https://a.pl/1", "Pierwszy <wpis>", "entry.html")
        assert "<title>Pierwszy &lt;wpis&gt;</title>" in first.content.decode()
        assert first.version.last_modified == "2026-03-01T10:00:00Z"
        assert isinstance(second, FetchedDocument)
        assert (second.uri, second.content, second.media_type) == (site.url + "/feed#2", b"Sam tekst.", "text/plain")
        assert third == Skipped(uri=site.url + "/feed#3", reason="no_text")

    def test_pages_are_followed_and_a_ring_ends(self) -> None:
        second = feed([{"id": "9", "content_text": "x"}], next_url="/feed")
        with WebSite({"/feed": feed(next_url="feed2?strona=2"), "/feed2": second}) as site:
            assert len(read(site)) == 4
        assert site.paths == ["/feed", "/feed2?strona=2"]

    def test_any_list_will_do(self) -> None:
        fields = FeedFields(
            items="data.wpisy", id="nr", url="", title="attr.tytul", html="", text="attr.tresc", next=""
        )
        entry = {"nr": 7, "attr": {"tytul": "T", "tresc": "Treść"}}
        with WebSite({"/feed": Page(json.dumps({"data": {"wpisy": [entry]}}), media_type="application/json")}) as site:
            (found,) = read(site, fields=fields)
        assert isinstance(found, FetchedDocument)
        assert (found.uri, found.title, found.content.decode()) == (site.url + "/feed#7", "T", "Treść")

    def test_the_whole_reply_may_be_the_list(self) -> None:
        with WebSite({"/feed": Page(json.dumps(ITEMS), media_type="application/json")}) as site:
            assert len(read(site, fields=FeedFields(items=""))) == 3

    def test_an_entry_without_number_or_address_stays_itself(self) -> None:
        with WebSite({"/feed": feed([{"content_text": "a"}, {"content_text": "b"}, {"content_text": "a"}])}) as site:
            assert [outcome.uri for outcome in read(site)] == [outcome.uri for outcome in read(site)]
            assert len(read(site)) == 2


class TestAgain:
    def test_only_what_changed_is_found(self) -> None:
        with WebSite({"/feed": feed()}) as site:
            known = {outcome.uri: outcome.version for outcome in read(site) if isinstance(outcome, FetchedDocument)}
            changed = [ITEMS[0] | {"content_html": "<p>Nowa</p>"}, ITEMS[1]]
            site.pages = {"/feed": feed(changed)}
            first, second = read(site, known)
        assert isinstance(first, FetchedDocument)
        assert isinstance(second, Unchanged)

    def test_what_is_not_listed_is_gone_only_from_a_complete_feed(self) -> None:
        known = {"https://a.pl/stary": Known()}
        with WebSite({"/feed": feed()}) as site:
            assert Gone(uri="https://a.pl/stary") in read(site, known, complete=True)
            assert not any(isinstance(outcome, Gone) for outcome in read(site, known))
            assert not any(isinstance(outcome, Gone) for outcome in read(site, known, complete=True, max_items=2))

    def test_a_page_that_fails_makes_nothing_gone(self) -> None:
        with WebSite({"/feed": feed(next_url="/nie-ma")}) as site:
            outcomes = read(site, {"https://a.pl/stary": Known()}, complete=True)
        assert isinstance(outcomes[-1], FetchFailure)
        assert not any(isinstance(outcome, Gone) for outcome in outcomes)


@pytest.mark.parametrize(
    "page",
    [
        Page("nie json", media_type="application/json"),
        Page("[" * 100_000, media_type="application/json"),
        Page("{}", media_type="application/json"),
        Page('{"items": 5}', media_type="application/json"),
        Page("[]", media_type="application/json"),
        Page("<html></html>", media_type="application/pdf"),
        Page(status=500),
        redirect("http://10.0.0.1/"),
    ],
)
def test_what_is_no_feed_is_one_failure(page: Page) -> None:
    with WebSite({"/feed": page}) as site:
        (outcome,) = read(site, {"https://a.pl/stary": Known()}, complete=True)
    assert isinstance(outcome, FetchFailure)


def test_odd_values_do_no_harm() -> None:
    odd = [
        {"id": {"a": 1}, "title": ["x"], "content_text": "a\x00b\ud800", "url": 5},
        {"id": "javascript:alert(1)", "url": "javascript:alert(1)", "content_text": "x"},
        {"id": "x" * 9000, "content_text": True},
    ]
    with WebSite({"/feed": feed(odd)}) as site:
        outcomes = read(site)
    assert [type(outcome) for outcome in outcomes] == [FetchedDocument, FetchedDocument, FetchedDocument]
    assert all(outcome.uri.startswith(site.url + "/feed#") and len(outcome.uri) < 600 for outcome in outcomes)
