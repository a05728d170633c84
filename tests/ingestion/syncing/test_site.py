"""A site through the real job, with its traps."""

import gzip
from collections.abc import Callable

import pytest

from ingestion.models import Collection, Document, Job, SourceAddress
from ingestion.services.sources import start_sync
from tests.ingestion.sources.sites import page
from tests.ingestion.syncing.conftest import Sync, site_source
from tests.web_site import Page, Request, WebSite, redirect

Reach = Callable[[WebSite], None]
BOMB = Page(gzip.compress(b"0" * 60_000_000), media_type="text/html", headers={"Content-Encoding": "gzip"})


def paths(site: WebSite, entries: list[dict[str, str]]) -> set[str]:
    return {entry["uri"].removeprefix(site.url) for entry in entries}


def calendar(request: Request) -> Page:
    number = int(request.path.rpartition("=")[2] or 0) if "=" in request.path else 0
    return page(*(f"/kalendarz?dzien={number * 10 + n}" for n in range(10)), text=f"dzień {number}")


@pytest.mark.slow
def test_the_traps_of_a_site(public: Collection, reach: Reach, sync: Sync) -> None:
    pages = {
        "/": page(
            "/dobra", "/petla", "/kalendarz", "/wolna", "/brak", "/awaria", "/prywatna", "/ogromna", "/bomba", "/obraz",
            "/zakazana", "/klamie", text="Strona główna",
        ),
        "/robots.txt": Page("User-agent: *\nDisallow: /zakazana", media_type="text/plain"),
        "/dobra": page("/", text="Urlop trwa 26 dni."),
        "/petla": redirect("/petla2"), "/petla2": redirect("/petla"),
        "/kalendarz": calendar,
        "/wolna": Page("x", wait=3),
        "/awaria": Page(status=500),
        "/prywatna": redirect("http://10.0.0.1/tajne"),
        "/ogromna": Page("x" * 30_000_000),
        "/bomba": BOMB,
        "/obraz": Page(b"\x89PNG\r\n\x1a\n", media_type="image/png"),
        "/zakazana": page(text="nie czytać"),
        "/klamie": Page(b"\x7fELF\x02" + b"\x00" * 2000, media_type="text/html"),
    }  # fmt: skip
    with WebSite(pages) as site:
        reach(site)
        report = sync(site_source(site, public, max_pages=150, max_depth=40))
    assert report.status == "succeeded"
    assert {"/", "/dobra"} <= paths(site, report.lists["new"])
    failed = paths(site, report.lists["failed"])
    assert {"/petla", "/wolna", "/brak", "/awaria", "/prywatna", "/ogromna", "/bomba"} <= failed
    assert all(entry["detail"] for entry in report.lists["failed"])
    assert {"robots", "endless", "media_type"} <= set(report.counts["reasons"])
    assert "/zakazana" not in site.paths
    assert Document.objects.filter(uri__contains="kalendarz").count() <= 101
    assert not Document.objects.filter(uri__endswith="/klamie").exists()


def test_an_unchanged_site_costs_304s_and_no_job(public: Collection, reach: Reach, sync: Sync) -> None:
    def answer(request: Request) -> Page:
        if request.headers["If-None-Match"] == '"1"':
            return Page(status=304)
        return page("/a", "/b", text=request.path, headers={"ETag": '"1"'})

    with WebSite({"/": answer, "/a": answer, "/b": answer}) as site:
        reach(site)
        source = site_source(site, public)
        assert sync(source).counts["new"] == 3
        jobs = Job.objects.filter(kind="index_document").count()
        report = sync(source)
    assert (report.counts["unchanged"], report.counts["new"]) == (3, 0)
    assert Job.objects.filter(kind="index_document").count() == jobs == 3


def test_a_failed_page_keeps_its_document_and_is_asked_for_again(public: Collection, reach: Reach, sync: Sync) -> None:
    with WebSite({"/": page("/a", "/b"), "/a": page(text="a"), "/b": Page(status=500)}) as site:
        reach(site)
        source = site_source(site, public)
        sync(source)
        site.pages = {"/": page(), "/a": Page(status=503), "/b": page(text="b")}
        report = sync(source)
        assert paths(site, report.lists["failed"]) == {"/a"}
        assert paths(site, report.lists["new"]) == {"/b"}  # no link leads there any more
        assert Document.objects.filter(uri=f"{site.url}/a").exists()
        assert site.paths.count("/b") == 7  # once and five times again, then at the next synchronisation


def test_a_page_that_was_never_there_is_not_asked_for_for_ever(public: Collection, reach: Reach, sync: Sync) -> None:
    with WebSite({"/": page("/brak")}) as site:
        reach(site)
        source = site_source(site, public)
        sync(source)
        site.pages = {"/": page()}
        sync(source)
        sync(source)
    assert site.paths.count("/brak") == 2
    assert not SourceAddress.objects.filter(uri__endswith="/brak").exists()


def test_a_site_that_is_down_is_a_failure_and_nothing_is_gone(public: Collection, reach: Reach, sync: Sync) -> None:
    with WebSite({"/": page("/a"), "/a": page()}) as site:
        reach(site)
        source = site_source(site, public)
        sync(source)
    report = sync(source)
    assert report.status == "failed"
    assert report.error
    assert not SourceAddress.objects.exclude(state="current").exists()


def test_a_private_address_is_never_read(public: Collection, sync: Sync) -> None:
    with WebSite({"/": page()}) as site:
        report = sync(site_source(site, public))
        assert report.status == "failed"
        assert site.requests == []


class TestSlices:
    @pytest.fixture
    def slices(self, settings: object) -> None:
        rag = settings.RAG  # type: ignore[attr-defined]
        short = {**rag["ingestion"], "sync_slice_seconds": 0.3}
        settings.RAG = {**rag, "ingestion": short}  # type: ignore[attr-defined]

    def test_a_long_reading_goes_on_where_it_stopped(
        self, slices: None, public: Collection, reach: Reach, sync: Sync
    ) -> None:
        chain = {f"/{n}": page(f"/{n + 1}", text=str(n), wait=0.1) for n in range(12)}
        with WebSite({**chain, "/12": page(text="koniec")}) as site:
            reach(site)
            source = site_source(site, public, "/0", max_depth=50)
            report = sync(source)
            again = sync(source)
        assert report.counts["new"] == 13
        assert again.counts["unchanged"] == 13
        assert max(site.paths.count(f"/{n}") for n in range(13)) == 2  # once a synchronisation


class TestTheJob:
    def test_one_at_a_time(self, public: Collection, reach: Reach) -> None:
        with WebSite({"/": page()}) as site:
            source = site_source(site, public)
            assert start_sync(source=source) == start_sync(source=source)
        assert Job.objects.count() == 1
