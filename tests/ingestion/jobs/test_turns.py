"""No more documents of a collection at once than the settings say; the others wait for their turn."""

from typing import Any

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Collection, Document, Job
from ingestion.services.documents import add_document

Turns = list[Job]


@pytest.fixture
def one_at_a_time(settings: Any) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"collection_concurrency": 1}}


@pytest.fixture
def jobs(public: Collection, one_at_a_time: None) -> Turns:
    """The first is running elsewhere, two wait."""
    for n in range(3):
        add_document(collection=public, name=f"{n}.txt", content=b"tekst %d" % n, enqueue=False)
    first, *others = Job.objects.order_by("created")
    Job.objects.filter(pk=first.pk).update(status="running", started=timezone.now(), heartbeat=timezone.now())
    return [first, *others]


def states() -> list[tuple[str, str]]:
    return list(Job.objects.order_by("created").values_list("status", "stage"))


def test_a_job_too_many_waits_for_its_turn(jobs: Turns) -> None:
    run_job(str(jobs[1].pk))
    assert states()[1] == ("queued", "turn")
    assert recover_jobs() == 0
    assert OrmQ.objects.count() == 0, "while there is no room, it is not sent in vain"


def test_who_ends_calls_the_one_that_waits_longest(jobs: Turns, django_capture_on_commit_callbacks: Any) -> None:
    run_job(str(jobs[1].pk))
    run_job(str(jobs[2].pk))
    Job.objects.filter(pk=jobs[0].pk).update(status="queued", stage="waiting")
    with django_capture_on_commit_callbacks(execute=True):
        run_job(str(jobs[0].pk))
    assert states() == [("succeeded", "finished"), ("queued", "waiting"), ("queued", "turn")]
    assert [message.name() for message in OrmQ.objects.all()] == [str(jobs[1].pk)]
    run_job(str(jobs[1].pk))
    assert states()[1] == ("succeeded", "finished")


def test_the_turn_of_a_killed_worker_is_passed_on(jobs: Turns, django_capture_on_commit_callbacks: Any) -> None:
    run_job(str(jobs[1].pk))
    Job.objects.filter(pk=jobs[0].pk).update(heartbeat=None)
    with django_capture_on_commit_callbacks(execute=True):
        recover_jobs()
    assert str(jobs[1].pk) in {message.name() for message in OrmQ.objects.all()}


def test_other_collections_do_not_wait(jobs: Turns, internal: Collection) -> None:
    other = add_document(collection=internal, name="x.txt", content=b"tekst", enqueue=False)
    run_job(str(other.jobs.get().pk))
    other.refresh_from_db()
    assert other.status == Document.Status.READY


def test_without_a_limit_nobody_waits(jobs: Turns, settings: Any) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"collection_concurrency": 0}}
    run_job(str(jobs[1].pk))
    assert states()[1] == ("succeeded", "finished")
