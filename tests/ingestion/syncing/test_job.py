"""The job in the world: cancelled, killed, run by two at once, started by the clock."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone
from django_q.models import Schedule

from ingestion.jobs import recover_jobs, run_job, start_scheduled_sync
from ingestion.models import Collection, Document, Job, Source, SyncReport
from ingestion.services.jobs import cancel_job
from ingestion.services.sources import delete_source, save_source, start_sync
from tests.ingestion.sources.sites import page
from tests.ingestion.syncing.conftest import site_source
from tests.ingestion.syncing.worker_process import start_worker
from tests.installation import wait_until
from tests.web_site import Page, Request, WebSite

Reach = Callable[[WebSite], None]
PAGES = 25


@pytest.fixture
def collection(transactional_db: None) -> Collection:
    return Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public")


@pytest.fixture
def site(reach: Reach) -> Iterator[WebSite]:
    """A first page and PAGES others, a little slow."""
    links = [f"/{n}" for n in range(PAGES)]
    pages = {link: page(text=f"Strona {link}", wait=0.1) for link in links}
    with WebSite({"/": page(*links, text="Początek"), **pages}) as opened:
        reach(opened)
        yield opened


def test_it_can_be_cancelled_while_it_runs(collection: Collection, site: WebSite) -> None:
    job = start_sync(source=site_source(site, collection), queue=False)

    def cancelling(request: Request) -> Page:
        cancel_job(job=job)
        connections.close_all()
        return page(text="piąta")

    site.pages = {**site.pages, "/5": cancelling}
    run_job(str(job.pk))
    job.refresh_from_db()
    assert job.status == Job.Status.CANCELLED
    report = SyncReport.objects.get(job=job)
    assert report.status == "cancelled"
    assert 5 <= report.counts["new"] < PAGES
    assert len(site.requests) < PAGES


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_nothing_comes_twice(collection: Collection, site: WebSite) -> None:
    job = start_sync(source=site_source(site, collection), queue=False)
    process = start_worker(job, FETCH_ALLOWED_NETWORKS="127.0.0.0/8", FETCH_PORTS=str(site.port))
    try:
        wait_until(lambda: Document.objects.count() >= 8 or process.poll() is not None, seconds=60)
    finally:
        process.kill()
        process.wait()
    before = Document.objects.count()
    assert 8 <= before < PAGES
    Job.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - timedelta(hours=1))
    assert recover_jobs() >= 1
    run_job(str(job.pk))
    job.refresh_from_db()
    report = SyncReport.objects.get()
    assert (job.status, report.status) == ("succeeded", "succeeded")
    assert report.counts["new"] == Document.objects.count() == PAGES + 1
    assert (
        len(site.requests) <= PAGES + 8
    )  # what was read is not read again: robots, sitemap, first page, the killed one


@pytest.mark.slow
def test_two_workers_do_not_both_synchronise_a_source(collection: Collection, site: WebSite) -> None:
    job = start_sync(source=site_source(site, collection), queue=False)
    assert start_sync(source=Source.objects.get(), queue=False) == job
    in_two_threads(lambda: run_job(str(job.pk)), lambda: run_job(str(job.pk)))
    assert Document.objects.count() == PAGES + 1
    assert max(site.paths.count(path) for path in site.paths) == 1


@pytest.mark.slow
def test_two_sources_of_the_same_pages_make_each_document_once(collection: Collection, site: WebSite) -> None:
    first = start_sync(source=site_source(site, collection), queue=False)
    second = start_sync(source=site_source(site, collection, "/", kind="web"), queue=False)
    wider = start_sync(source=site_source(site, collection, "/0"), queue=False)
    in_two_threads(lambda: run_job(str(first.pk)), lambda: [run_job(str(job.pk)) for job in (second, wider)])
    assert Document.objects.count() == PAGES + 1


def in_two_threads(*works: Callable[[], object]) -> None:
    def run(work: Callable[[], object]) -> None:
        try:
            work()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.django_db
class TestSchedule:
    @pytest.fixture
    def source(self, public: Collection) -> Source:
        source = Source(collection=public, kind="web", name="BIP", location="https://8.8.8.8/", rhythm="daily")
        return save_source(source=source)

    def test_a_source_has_the_schedule_that_its_rhythm_wants(self, source: Source) -> None:
        schedule = Schedule.objects.get(name__contains="synchronise source")
        assert (schedule.func, schedule.args) == ("ingestion.jobs.start_scheduled_sync", str(source.pk))
        assert schedule.next_run.astimezone(timezone.get_current_timezone()).hour == 3
        source.rhythm, source.schedule = "cron", "30 6 * * 1-5"
        save_source(source=source)
        schedule.refresh_from_db()
        assert (schedule.schedule_type, schedule.cron) == (Schedule.CRON, "30 6 * * 1-5")
        assert schedule.next_run.astimezone(timezone.get_current_timezone()).hour == 6
        source.rhythm = ""
        save_source(source=source)
        assert not Schedule.objects.filter(pk=schedule.pk).exists()

    def test_saving_again_does_not_put_off_the_next_turn(self, source: Source) -> None:
        Schedule.objects.filter(name__contains="synchronise source").update(next_run=timezone.now())
        turn = Schedule.objects.get(name__contains="synchronise source").next_run
        source.category = "urząd"
        save_source(source=source)
        assert Schedule.objects.get(name__contains="synchronise source").next_run == turn

    def test_the_clock_starts_a_job(self, source: Source) -> None:
        start_scheduled_sync(source.pk)
        start_scheduled_sync(source.pk)
        assert Job.objects.get().source == source

    def test_schedules_go_with_their_sources(self, source: Source) -> None:
        key = source.pk
        delete_source(source=source)
        assert not Schedule.objects.filter(name__contains="synchronise source").exists()
        Schedule.objects.create(name=f"knowledgetree: synchronise source {key}", func="x")
        start_scheduled_sync(key)
        assert not Schedule.objects.filter(name__contains="synchronise source").exists()
