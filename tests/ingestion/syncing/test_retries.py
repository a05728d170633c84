"""A source that fails for a reason that may pass is tried again, later and later; one that fails for good is not."""

from collections.abc import Callable
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Collection, Document, Job, Source, SourceAddress, SyncReport
from ingestion.services.jobs import cancel_job
from ingestion.services.sources import start_sync
from tests.ingestion.sources.sites import page
from tests.ingestion.syncing.conftest import site_source
from tests.web_site import Page, WebSite

Reach = Callable[[WebSite], None]

UP = {"/": page("/a", text="Początek"), "/a": page(text="Druga")}


def run(source: Source) -> tuple[Job, SyncReport]:
    job = start_sync(source=source, queue=False)
    run_job(str(job.pk))
    job.refresh_from_db()
    return job, SyncReport.objects.get(job=job)


def seconds_until(job: Job) -> float:
    assert job.due is not None
    return (job.due - timezone.now()).total_seconds()


@pytest.mark.parametrize(
    "down",
    [Page(status=503), Page(status=429), Page(status=500), Page("", raw=b"nie HTTP\r\n\r\n"), page(wait=5)],
    ids=["503", "429", "500", "nonsense", "timeout"],
)
@pytest.mark.parametrize("kind", ["web", "feed"])
def test_what_may_pass_is_tried_again_later(public: Collection, reach: Reach, down: Page, kind: str) -> None:
    with WebSite({"/": down}) as site:
        reach(site)
        job, report = run(site_source(site, public, kind=kind))
    assert (job.status, job.failures, job.error_code) == ("queued", 1, "source_unreadable")
    assert 10 < seconds_until(job) <= 15
    assert report.status == "running"
    assert "Próba 1 z 13 nie udała się; następna: " in report.error
    assert str(timezone.localtime(job.due).year) in report.error


@pytest.mark.parametrize(
    ("path", "robots"),
    [("/brak", ""), ("/zamknięte", ""), ("/zakazane", "User-agent: *\nDisallow: /zakazane")],
    ids=["404", "401", "robots"],
)
def test_what_stays_is_not_tried_again(public: Collection, reach: Reach, path: str, robots: str) -> None:
    pages = {"/zamkni%C4%99te": Page(status=401), "/zakazane": page(text="a")}
    with WebSite({**pages, **({"/robots.txt": Page(robots, media_type="text/plain")} if robots else {})}) as site:
        reach(site)
        job, report = run(site_source(site, public, path, kind="web"))
    assert (job.due, job.failures) == (None, 0)
    assert job.status in {"failed", "succeeded"}
    assert "Próba" not in report.error


def test_a_private_address_is_not_tried_again(public: Collection) -> None:
    with WebSite(UP) as site:
        job, report = run(site_source(site, public))
    assert (job.status, job.due, report.status) == ("failed", None, "failed")


def test_a_server_that_nobody_knows_is_tried_again(public: Collection, settings: Any) -> None:
    source = Source.objects.create(collection=public, kind="web", name="Nie ma", location="http://nie-ma.invalid/")
    job, report = run(source)
    assert (job.status, job.failures, report.status) == ("queued", 1, "running")


def test_once_it_is_back_everything_comes_in_and_the_report_has_no_error(public: Collection, reach: Reach) -> None:
    with WebSite({"/": Page(status=503)}) as site:
        reach(site)
        job, first = run(site_source(site, public))
        site.pages = UP
        run_job(str(job.pk))
        assert not Document.objects.exists(), "not before it is due"
        Job.objects.update(due=timezone.now() - timedelta(seconds=1))
        assert recover_jobs() == 1
        run_job(str(job.pk))
    job.refresh_from_db()
    report = SyncReport.objects.get()
    assert report.pk == first.pk
    assert (job.status, job.failures, report.status, report.error) == ("succeeded", 0, "succeeded", "")
    assert Document.objects.count() == report.counts["new"] == 2


def test_every_wait_is_longer_and_after_the_last_one_it_fails_for_good(public: Collection, reach: Reach) -> None:
    with WebSite({"/": Page(status=503)}) as site:
        reach(site)
        job, _ = run(site_source(site, public))
        for failures, longest in ((1, 30), (4, 240), (11, 3600)):
            Job.objects.update(failures=failures, due=None)
            run_job(str(job.pk))
            job.refresh_from_db()
            assert 0.8 * longest - 3 < seconds_until(job) <= longest
        Job.objects.update(due=None)
        run_job(str(job.pk))
    job.refresh_from_db()
    report = SyncReport.objects.get()
    assert (job.status, job.error_code, report.status) == ("failed", "source_unreadable", "failed")
    assert "503" in report.error
    assert report.error.endswith("Próbowano 13 razy.")


@pytest.mark.parametrize(
    ("status", "asked", "shortest", "longest"),
    [
        (503, "600", 590, 600),
        (429, timedelta(hours=2), 7000, 7200),
        (503, "999999", 86_390, 86_400),  # a day at most
        (503, "soon", 10, 15),
        (500, "600", 10, 15),
        (503, timedelta(minutes=-1), 10, 15),
    ],
)
def test_a_server_that_says_when_to_come_again_is_left_alone_until_then(
    public: Collection, reach: Reach, status: int, asked: str | timedelta, shortest: int, longest: int
) -> None:
    if isinstance(asked, timedelta):
        asked = format_datetime(timezone.now() + asked, usegmt=True)
    with WebSite({"/": Page(status=status, headers={"Retry-After": asked})}) as site:
        reach(site)
        job, report = run(site_source(site, public))
    assert (job.status, report.status) == ("queued", "running")
    assert shortest <= seconds_until(job) <= longest


class TestSomePages:
    """Of a source that gave something, the rest is asked for again in the same synchronisation."""

    PAGES = {"/": page("/a", "/b"), "/a": page(text="a"), "/b": Page(status=503)}

    def test_what_may_pass_is_asked_for_again_and_nothing_else(self, public: Collection, reach: Reach) -> None:
        with WebSite(self.PAGES) as site:
            reach(site)
            job, report = run(site_source(site, public))
            assert (job.status, job.error_code, report.status) == ("queued", "partly_unreadable", "running")
            assert 10 < seconds_until(job) <= 15
            assert "Nie wszystko dało się odczytać (1), najpierw: Serwer odpowiedział kodem 503." in report.error
            assert Document.objects.count() == 2
            site.pages = {**self.PAGES, "/b": page(text="b")}
            Job.objects.update(due=None)
            run_job(str(job.pk))
            assert [site.paths.count(path) for path in ("/", "/a", "/b")] == [1, 1, 2]
        job.refresh_from_db()
        report.refresh_from_db()
        assert (job.status, report.status, report.error) == ("succeeded", "succeeded", "")
        assert (report.counts["new"], report.counts["failed"]) == (3, 0)

    def test_after_five_times_it_is_left_to_the_next_synchronisation(self, public: Collection, reach: Reach) -> None:
        with WebSite(self.PAGES) as site:
            reach(site)
            job, report = run(site_source(site, public))
            for _ in range(5):
                assert job.status == "queued"
                Job.objects.update(due=None)
                run_job(str(job.pk))
                job.refresh_from_db()
            assert site.paths.count("/b") == 6
        report.refresh_from_db()
        assert (job.status, report.status, report.counts["failed"]) == ("succeeded", "succeeded", 1)

    def test_pages_that_come_in_meanwhile_do_not_make_it_endless(self, public: Collection, reach: Reach) -> None:
        with WebSite(self.PAGES) as site:
            reach(site)
            job, _ = run(site_source(site, public, max_pages=100))
            for number in range(5):
                site.pages = {**site.pages, f"/n{number}": page(text=str(number)), "/b": Page(status=503)}
                SourceAddress.objects.create(source=job.source, uri=f"{site.url}/n{number}", state="unread")
                Job.objects.update(due=None)
                run_job(str(job.pk))
                job.refresh_from_db()
        assert Document.objects.count() == 7
        assert job.status == "succeeded"

    @pytest.mark.parametrize(("asked", "status"), [("1800", "queued"), ("7200", "succeeded")])
    def test_one_page_does_not_hold_the_others_for_more_than_an_hour(
        self, public: Collection, reach: Reach, asked: str, status: str
    ) -> None:
        with WebSite({**self.PAGES, "/b": Page(status=429, headers={"Retry-After": asked})}) as site:
            reach(site)
            job, _ = run(site_source(site, public))
        assert job.status == status
        assert job.due is None or 1790 < seconds_until(job) <= 1800

    def test_a_page_that_is_not_there_is_nothing_to_wait_for(self, public: Collection, reach: Reach) -> None:
        with WebSite({**self.PAGES, "/b": Page(status=404)}) as site:
            reach(site)
            job, _ = run(site_source(site, public))
        assert (job.status, job.failures) == ("succeeded", 0)


class TestWaiting:
    @pytest.fixture
    def waiting(self, folder_source: Source, folder: Path) -> Job:
        """Its disk is away; it waits for the next attempt."""
        folder.rename(folder.with_name("odłączony"))
        job, _ = run(folder_source)
        assert (job.status, job.failures) == ("queued", 1)
        return job

    def back(self, folder: Path) -> None:
        folder.with_name("odłączony").rename(folder)

    def test_whoever_synchronises_now_does_not_wait(self, waiting: Job, folder: Path) -> None:
        self.back(folder)
        assert waiting.source is not None
        job, report = run(waiting.source)
        assert (job.pk, job.status, report.counts["new"]) == (waiting.pk, "succeeded", 2)

    def test_the_page_of_the_source_says_when_and_offers_not_to_wait(self, waiting: Job, admin_client: Client) -> None:
        text = admin_client.get(reverse("admin:ingestion_source_change", args=[waiting.source_id])).content.decode()
        assert "następna próba" in text
        assert "Próba 1 z 13" in text
        assert reverse("admin:ingestion_source_sync", args=[waiting.source_id]) in text

    def test_cancelling_ends_the_report_too(self, waiting: Job) -> None:
        cancel_job(job=waiting)
        report = SyncReport.objects.get()
        assert report.status == "cancelled"
        assert report.finished is not None

    def test_the_command_leaves_the_waiting_to_a_worker(self, waiting: Job) -> None:
        with pytest.raises(CommandError):
            call_command("sync", verbosity=0)
        waiting.refresh_from_db()
        assert (waiting.status, waiting.failures) == ("queued", 2)
