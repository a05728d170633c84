"""Each kind of source through the real job."""

import json
from collections.abc import Callable

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job
from tests.ingestion.sources.sites import page
from tests.ingestion.syncing.conftest import Sync, site_source
from tests.web_site import Page, Request, WebSite

Reach = Callable[[WebSite], None]


def uris(site: WebSite) -> set[str]:
    return {uri.removeprefix(site.url) for uri in Document.objects.values_list("uri", flat=True)}


def test_a_page_alone(public: Collection, reach: Reach, sync: Sync) -> None:
    with WebSite({"/a": page("/b", title="Statut"), "/b": page()}) as site:
        reach(site)
        sync(site_source(site, public, "/a", kind="web"))
        assert uris(site) == {"/a"}
    assert Document.objects.get().title == "Statut"


def test_the_pages_of_a_sitemap(public: Collection, reach: Reach, sync: Sync) -> None:
    listed = Page("/a\n/b", media_type="text/plain")
    with WebSite({"/mapa.txt": listed, "/a": page("/c", text="a"), "/b": page(text="b"), "/c": page()}) as site:
        reach(site)
        sync(site_source(site, public, "/mapa.txt", kind="sitemap"))
        assert uris(site) == {"/a", "/b"}


def test_the_entries_of_a_feed_that_lists_everything(public: Collection, reach: Reach, sync: Sync) -> None:
    def feed(*numbers: int) -> Page:
        entries = [{"nr": n, "adres": f"/wpis/{n}", "tytul": f"Wpis {n}", "tresc": f"Treść {n}"} for n in numbers]
        return Page(json.dumps({"dane": {"lista": entries}}), media_type="application/json")

    fields = {"items": "dane.lista", "id": "nr", "url": "adres", "title": "tytul", "text": "tresc"}
    with WebSite({"/feed": feed(1, 2)}) as site:
        reach(site)
        source = site_source(
            site, public, "/feed", kind="feed", gone_policy="archive", options={"fields": fields, "complete": True}
        )
        assert sync(source).counts["new"] == 2
        assert set(Document.objects.values_list("title", flat=True)) == {"Wpis 1", "Wpis 2"}
        site.pages = {"/feed": feed(2, 3)}
        counts = sync(source).counts
        assert (counts["new"], counts["gone"], counts["unchanged"]) == (1, 1, 1)
        site.pages = {"/feed": Page("{", media_type="application/json")}
        assert sync(source).status == "failed"
    assert Document.objects.filter(status="archived").count() == 1


def test_a_page_that_comes_back_is_restored_even_where_it_did_not_change(
    public: Collection, reach: Reach, sync: Sync
) -> None:
    def answer(request: Request) -> Page:
        same = request.headers["If-None-Match"] == '"1"'
        return Page(status=304) if same else page(text="a", headers={"ETag": '"1"'})

    with WebSite({"/": page("/a"), "/a": answer}) as site:
        reach(site)
        source = site_source(site, public, gone_policy="archive")
        sync(source)
        for job in Job.objects.filter(kind="index_document"):
            run_job(str(job.pk))
        site.pages = {"/": page("/a")}
        assert sync(source).counts["gone"] == 1
        assert Document.objects.get(uri=f"{site.url}/a").status == "archived"
        site.pages = {"/": page("/a"), "/a": answer}
        assert sync(source).counts["restored"] == 1
    assert Document.objects.get(uri=f"{site.url}/a").status != "archived"
