"""An editor tries jobs again and cancels them; doing it twice is doing it once."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from ingestion.models import Collection, Job
from tests.ingestion.api.library import Library


@pytest.fixture
def job(library: Library) -> Job:
    return library.waiting["public"].jobs.get()


def test_a_failed_job_is_tried_again_once(library: Library, job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(status="failed", error_message="Zdejmij hasło.", attempts=3)
    answers = [library.client("editor").post(f"/api/jobs/{job.pk}/retry") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert all(answer.json()["status"] == "queued" for answer in answers)
    assert answers[0].json()["error_message"] == ""


def test_a_waiting_job_is_cancelled_once(library: Library, job: Job) -> None:
    answers = [library.client("editor").post(f"/api/jobs/{job.pk}/cancel") for _ in range(2)]
    assert [(answer.status_code, answer.json()["status"]) for answer in answers] == [(202, "cancelled")] * 2


@pytest.mark.parametrize("verb", ["retry", "cancel"])
def test_a_job_that_succeeded_is_left_alone(library: Library, verb: str) -> None:
    done = library.ready["public"].jobs.get()
    answer = library.client("editor").post(f"/api/jobs/{done.pk}/{verb}")
    assert (answer.status_code, answer.json()["code"]) == (409, "job_state")
    assert answer["Content-Type"] == "application/problem+json"
    done.refresh_from_db()
    assert done.status == "succeeded"


def test_a_job_is_not_tried_again_beside_a_newer_one(library: Library, job: Job) -> None:
    old = Job.objects.create(kind=job.kind, document=job.document, collection=job.collection, status="failed")
    assert library.client("editor").post(f"/api/jobs/{old.pk}/retry").status_code == 409


@pytest.mark.parametrize("verb", ["retry", "cancel"])
def test_jobs_are_the_business_of_editors_in_their_collections(library: Library, job: Job, verb: str) -> None:
    hidden = library.waiting["restricted"].jobs.get()
    assert library.client("editor").post(f"/api/jobs/{hidden.pk}/{verb}").status_code == 404
    for viewer in ("anonymous", "member"):
        assert library.client(viewer).post(f"/api/jobs/{job.pk}/{verb}").status_code == 403
    editor = library.viewers["editor"]
    editor.user_permissions.remove(*editor.user_permissions.filter(codename="change_job"))
    assert library.client("editor").post(f"/api/jobs/{job.pk}/{verb}").status_code == 403


def test_both_pages_and_programs_see_the_same_jobs(superuser: User, employee: User, restricted: Collection) -> None:
    """A job of no document and no collection, such as of an embedding space, is the superusers'."""
    Job.objects.create(kind=Job.Kind.REEMBED)
    Job.objects.create(kind=Job.Kind.SYNC_SOURCE, collection=restricted)
    employee.is_staff = True
    employee.save()
    employee.user_permissions.set(Permission.objects.filter(codename="view_job"))
    client = Client()
    for viewer, seen in ((superuser, 2), (employee, 0)):
        client.force_login(viewer)
        assert client.get("/api/jobs").json()["count"] == seen
        assert client.get("/admin/ingestion/job/").context["cl"].result_count == seen
