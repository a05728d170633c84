"""An editor works in the collections that he may read; the rest does not exist for him, not even by name."""

import pytest
from django.urls import reverse

from ingestion.models import Collection
from tests.ingestion.api.library import Library


@pytest.fixture(autouse=True)
def _distinct_names(library: Library) -> None:
    Collection.objects.filter(slug="restricted").update(name="Sprawy kadrowe")


@pytest.mark.parametrize("model", ["collection", "document", "chunk", "job", "source", "synonymgroup", "glossaryentry"])
def test_lists_filters_and_forms_do_not_name_a_hidden_collection(library: Library, model: str) -> None:
    client = library.client("editor")
    assert "Sprawy kadrowe" not in client.get(reverse(f"admin:ingestion_{model}_changelist")).content.decode()
    if model in {"source", "synonymgroup", "glossaryentry", "document"}:
        assert "Sprawy kadrowe" not in client.get(reverse(f"admin:ingestion_{model}_add"), follow=True).content.decode()


def test_the_page_of_a_hidden_document_does_not_open(library: Library) -> None:
    hidden = library.ready["restricted"]
    response = library.client("editor").get(reverse("admin:ingestion_document_change", args=[hidden.pk]))
    assert response.status_code == 302
    assert response.url == reverse("admin:index")


def test_an_action_on_a_hidden_document_does_nothing(library: Library) -> None:
    hidden = library.ready["restricted"]
    library.client("editor").post(
        reverse("admin:ingestion_document_changelist"), {"action": "archive", "_selected_action": [hidden.pk]}
    )
    hidden.refresh_from_db()
    assert hidden.status == "ready"


def test_live_progress_leaves_out_hidden_jobs(library: Library) -> None:
    jobs = {slug: str(document.jobs.get().pk) for slug, document in library.waiting.items()}
    answer = library.client("editor").get(reverse("admin:ingestion_job_progress"), {"id": [*jobs.values(), "x"]}).json()
    assert set(answer["rows"]) == {jobs["public"], jobs["internal"]}
    assert answer["settled"] is False


def test_live_progress_is_for_those_who_may_see_jobs(library: Library) -> None:
    address = reverse("admin:ingestion_job_progress")
    library.viewers["editor"].user_permissions.clear()
    assert library.client("editor").get(address).status_code == 403
    assert library.client("anonymous").get(address).status_code == 302
