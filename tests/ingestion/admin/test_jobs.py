import pytest
from django.urls import reverse

from ingestion.models import Job, Source
from tests.ingestion.api.library import Library

LIST = "admin:ingestion_job_changelist"


@pytest.fixture
def failed(library: Library) -> Job:
    job = library.waiting["public"].jobs.get()
    job.status, job.error_code, job.error_message = "failed", "encrypted", "Zdejmij hasło z pliku."
    job.save()
    return job


def act(library: Library, action: str, job: Job, viewer: str = "superuser") -> None:
    library.client(viewer).post(reverse(LIST), {"action": action, "_selected_action": [str(job.pk)]})


def test_a_failed_job_says_what_to_do_and_can_be_tried_again(library: Library, failed: Job) -> None:
    assert "Zdejmij hasło z pliku." in library.client("superuser").get(reverse(LIST)).content.decode()
    act(library, "retry", failed)
    failed.refresh_from_db()
    assert (failed.status, failed.error_message) == ("queued", "")


def test_a_waiting_job_can_be_cancelled_a_finished_one_cannot(library: Library) -> None:
    waiting, done = library.waiting["public"].jobs.get(), library.ready["public"].jobs.get()
    for job in (waiting, done):
        act(library, "cancel", job)
        job.refresh_from_db()
    assert (waiting.status, done.status) == ("cancelled", "succeeded")


def test_a_running_job_can_be_cancelled(library: Library) -> None:
    job = library.waiting["public"].jobs.get()
    Job.objects.filter(pk=job.pk).update(status="running")
    act(library, "cancel", job)
    job.refresh_from_db()
    assert job.status == "cancelled"


def test_a_job_that_waits_says_until_when(library: Library) -> None:
    job, client = library.waiting["public"].jobs.get(), library.client("superuser")
    Job.objects.filter(pk=job.pk).update(failures=2, due="2030-01-02T10:00:00Z", error_message="Baza nie odpowiada.")
    cells = client.get(reverse("admin:ingestion_job_progress"), {"id": str(job.pk)}).json()["rows"][str(job.pk)]
    assert "11:00" in cells["progress"]
    assert "Baza nie odpowiada." in cells["failure"]
    assert cells["tries"] == "2"
    assert "2 próby" in client.get(reverse("admin:ingestion_job_change", args=[job.pk])).content.decode()


def test_the_page_of_a_job_leads_to_what_it_is_about(library: Library) -> None:
    client, source = (
        library.client("superuser"),
        Source.objects.create(
            collection=library.waiting["public"].collection, kind="web", name="Strona", location="https://a.example/"
        ),
    )
    job = Job.objects.create(kind="sync_source", source=source, collection=source.collection)
    page = client.get(reverse("admin:ingestion_job_change", args=[job.pk])).content.decode()
    assert reverse("admin:ingestion_source_change", args=[source.pk]) in page
    assert "Dokument" not in page.partition("field-line")[2]


def test_looking_at_jobs_is_not_retrying_them(library: Library, failed: Job) -> None:
    editor = library.viewers["editor"]
    editor.user_permissions.remove(*editor.user_permissions.filter(codename="change_job"))
    act(library, "retry", failed, "editor")
    failed.refresh_from_db()
    assert failed.status == "failed"


def test_live_progress_shows_done_and_total_and_ends_when_all_is_settled(library: Library) -> None:
    job, client = library.waiting["public"].jobs.get(), library.client("superuser")
    Job.objects.filter(pk=job.pk).update(status="running", stage="embedding", done=64, total=128)
    address = reverse("admin:ingestion_job_progress")
    running = client.get(address, {"id": str(job.pk)}).json()
    assert 'max="128" value="64"' in running["rows"][str(job.pk)]["progress"]
    Job.objects.filter(pk=job.pk).update(status="succeeded")
    assert client.get(address, {"id": str(job.pk)}).json()["settled"] is True


def test_an_error_message_is_escaped_in_live_cells(library: Library, failed: Job) -> None:
    Job.objects.filter(pk=failed.pk).update(error_message="<script>alert(1)</script>")
    cells = library.client("superuser").get(reverse("admin:ingestion_job_progress"), {"id": str(failed.pk)}).json()
    assert "<script>" not in cells["rows"][str(failed.pk)]["failure"]


def press(library: Library, verb: str, job: Job, viewer: str = "superuser") -> int:
    return library.client(viewer).post(reverse("admin:ingestion_job_act", args=[job.pk, verb])).status_code


def test_the_page_of_a_job_says_what_went_wrong_and_offers_to_try_again(library: Library, failed: Job) -> None:
    client, page = library.client("superuser"), reverse("admin:ingestion_job_change", args=[failed.pk])
    text = client.get(page).content.decode()
    assert "Zdejmij hasło z pliku." in text
    assert 'id="job-retry"' in text
    assert 'id="job-cancel"' not in text
    assert press(library, "retry", failed) == 302
    failed.refresh_from_db()
    assert failed.status == "queued"
    panel = client.get(page).context["panel"]
    assert (panel["cancel"], panel["moving"], len(panel["acts"])) == (True, True, 1)


def test_a_job_is_cancelled_from_its_page(library: Library) -> None:
    job = library.waiting["public"].jobs.get()
    assert press(library, "cancel", job) == 302
    job.refresh_from_db()
    assert job.status == "cancelled"


def test_buttons_of_a_job_are_for_those_who_may_and_see_it(library: Library, failed: Job) -> None:
    hidden = library.waiting["restricted"].jobs.get()
    assert press(library, "cancel", hidden, "editor") == 404
    assert press(library, "erase", failed) == 404
    editor = library.viewers["editor"]
    editor.user_permissions.remove(*editor.user_permissions.filter(codename="change_job"))
    assert press(library, "retry", failed, "editor") == 403
    page = library.client("editor").get(reverse("admin:ingestion_job_change", args=[failed.pk]))
    assert 'id="job-retry"' not in page.content.decode()
    address = reverse("admin:ingestion_job_act", args=[failed.pk, "retry"])
    assert library.client("superuser").get(address).status_code == 405
