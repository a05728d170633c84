"""Feeds that want a key: sources name it, the server has it, nobody sees it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from ingestion.models import Collection, Document, Source, SyncReport
from tests.ingestion.syncing.conftest import Sync, site_source
from tests.web_site import Page, Request, WebSite

SECRET = "tajny-klucz-kadr"


def entries(*names: str, **more: Any) -> Page:
    items = [{"id": name, "title": name, "content_text": f"Treść: {name}."} for name in names]
    return Page(json.dumps({"items": items, **more}), media_type="application/json")


def guarded(page: Page) -> Any:
    def answer(request: Request) -> Page:
        return page if request.headers["X-Api-Key"] == SECRET else Page("Kto tam?", status=401)

    return answer


@pytest.fixture
def site() -> Iterator[WebSite]:
    with WebSite({"/feed": guarded(entries("pierwszy"))}) as opened:
        yield opened


@pytest.fixture
def other() -> Iterator[WebSite]:
    with WebSite({"/dalej": entries("drugi")}) as opened:
        yield opened


@pytest.fixture(autouse=True)
def allowed(settings: Settings, site: WebSite, other: WebSite) -> None:
    keys = {"kadry": {"origin": site.url, "secret": SECRET, "header": "X-Api-Key"}}
    settings.RAG = {
        **settings.RAG,
        "fetching": {"allowed_networks": ["127.0.0.0/8"], "ports": [site.port, other.port], "seconds": 2.0},
        "ingestion": {**settings.RAG["ingestion"], "feed_keys": keys},
    }


def feed(site: WebSite, collection: Collection, **fields: Any) -> Source:
    return site_source(site, collection, "/feed", kind="feed", **{"options": {"key": "kadry"}, **fields})


def test_the_key_is_sent_and_stored_nowhere(public: Collection, site: WebSite, sync: Sync) -> None:
    report = sync(feed(site, public))
    assert (report.status, Document.objects.get().title) == ("succeeded", "pierwszy")
    kept = [*Source.objects.all(), *SyncReport.objects.all(), *Document.objects.all()]
    assert SECRET not in serializers.serialize("json", kept)


def test_without_the_key_the_server_refuses(public: Collection, site: WebSite, sync: Sync) -> None:
    report = sync(feed(site, public, options={}))
    assert report.status == "failed"
    assert "401" in report.error


def test_a_next_page_on_another_server_gets_no_key(
    public: Collection, site: WebSite, other: WebSite, sync: Sync
) -> None:
    site.pages = {"/feed": guarded(entries("pierwszy", next_url=f"{other.url}/dalej"))}
    assert sync(feed(site, public)).counts["new"] == 2
    assert [request.headers["X-Api-Key"] for request in other.requests] == [None]


def test_a_key_that_was_taken_away_fails_with_words(
    public: Collection, site: WebSite, sync: Sync, settings: Settings
) -> None:
    source = feed(site, public)
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "feed_keys": {}}}
    report = sync(source)
    assert report.status == "failed"
    assert report.error.startswith("Na tym serwerze nie ma klucza 'kadry'.")
    assert not site.requests


class TestChoosing:
    def form(self, collection: Collection, site: WebSite, **fields: Any) -> dict[str, Any]:
        return {
            "name": "Kadry", "collection": collection.pk, "kind": "feed", "location": f"{site.url}/feed", "include": "",
            "exclude": "", "max_pages": 500, "max_depth": 5, "delay": "1.0", "category": "", "tags": "",
            "language": "pl", "gone_policy": "confirm", "rhythm": "", "schedule": "", **fields,
        }  # fmt: skip

    def test_the_form_offers_names_and_keeps_the_chosen_one(
        self, public: Collection, site: WebSite, admin_client: Client
    ) -> None:
        add = reverse("admin:ingestion_source_add")
        assert admin_client.post(add, self.form(public, site, feed_key="kadry")).status_code == 302
        source = Source.objects.get()
        assert source.options["key"] == "kadry"
        page = admin_client.get(reverse("admin:ingestion_source_change", args=[source.pk])).content.decode()
        assert '<option value="kadry" selected>' in page
        assert SECRET not in page

    @pytest.mark.parametrize(("key", "host"), [("obcy", "site"), ("kadry", "other")])
    def test_a_key_that_is_unknown_or_for_another_server_is_refused(
        self, public: Collection, site: WebSite, other: WebSite, admin_client: Client, key: str, host: str
    ) -> None:
        at = {"site": site, "other": other}[host]
        response = admin_client.post(reverse("admin:ingestion_source_add"), self.form(public, at, feed_key=key))
        assert list(response.context["adminform"].form.errors) == ["feed_key"]
        given = {"collection": "publiczna", "kind": "feed", "name": "A", "location": at.url, "options": {"key": key}}
        answer = admin_client.post("/api/sources", {**given, "collection": public.slug}, "application/json")
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == ["key"]
        assert not Source.objects.exists()

    def test_the_api_gives_the_name_alone_and_changes_it(
        self, public: Collection, site: WebSite, admin_client: Client
    ) -> None:
        source = feed(site, public, options={"complete": True})
        address = f"/api/sources/{source.pk}"
        changed = admin_client.patch(address, {"options": {"key": "kadry"}}, "application/json")
        assert (changed.json()["options"]["key"], changed.json()["options"]["complete"]) == ("kadry", True)
        assert admin_client.patch(address, {"options": {"key": "obcy"}}, "application/json").status_code == 400
        assert SECRET not in admin_client.get(address).content.decode()

    def test_the_page_of_settings_says_only_that_there_is_one(self, admin_client: Client) -> None:
        page = admin_client.get(reverse("admin:rag_settings_changelist")).content.decode()
        assert "ingestion.feed_keys.kadry.secret" in page
        assert SECRET not in page
