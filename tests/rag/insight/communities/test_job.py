"""Groups are made by a command, by a worker for an editor, and at night where something changed."""

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job
from ingestion.services.documents import archive_document
from ingestion.services.grouping import start_grouping
from rag.insight.communities.building import build_communities, is_outdated
from rag.insight.communities.job import refresh_communities
from rag.models import Community
from tests.conftest import AddDocument
from tests.rag.insight.communities.conftest import WASTE, fill

pytestmark = pytest.mark.django_db


def said(**options: Any) -> str:
    out = StringIO()
    call_command("communities", stdout=out, **options)
    return out.getvalue()


def test_the_command_on_an_empty_database_says_so() -> None:
    assert said() == "Nie ma jeszcze żadnej kolekcji.\n"


def test_the_command_groups_all_collections_or_one(
    documents: dict[str, Document], public: Collection, internal: Collection
) -> None:
    assert said(collection="wewnetrzna") == "Wewnętrzna: grupy 0, dokumenty w grupach 0\n"
    assert not Community.objects.exists()
    assert "Publiczna: grupy 2, dokumenty w grupach 6" in said()
    with pytest.raises(CommandError, match="nie-ma"):
        said(collection="nie-ma")


def test_an_editor_asks_and_a_worker_makes_them(
    documents: dict[str, Document],
    public: Collection,
    superuser: User,
    client: Client,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    client.force_login(superuser)
    asked = {"action": "group_documents", "_selected_action": [public.pk]}
    with django_capture_on_commit_callbacks() as sent:
        page = client.post("/admin/ingestion/collection/", asked, follow=True)
    assert "tematy pojawią się w bibliotece" in page.content.decode()
    assert len(sent) == 1
    job = Job.objects.get(kind="communities")
    run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.status, job.done, job.total) == ("succeeded", job.total, job.total)
    assert Community.objects.count() == 2
    run_job(str(job.pk))  # a second message of the queue does nothing
    assert Community.objects.count() == 2


def test_a_job_that_waits_is_not_asked_for_twice(public: Collection) -> None:
    assert start_grouping(collection=public) == start_grouping(collection=public)


@pytest.mark.django_db(transaction=True)
def test_at_night_only_groups_whose_collection_changed_are_made_anew(
    index: AddDocument, public: Collection, internal: Collection
) -> None:
    documents = fill(public, index)
    assert refresh_communities() == 0  # nobody has asked for groups
    said()
    assert refresh_communities() == 0
    archive_document(document=documents["bio"])
    assert refresh_communities() == 1
    assert Job.objects.get(kind="communities").collection == public


@pytest.mark.django_db(transaction=True)
def test_groups_are_outdated_by_a_change_and_not_by_being_made(public: Collection, index: AddDocument) -> None:
    documents = fill(public, index)
    assert not is_outdated(public)
    build_communities(collection=public)
    assert not is_outdated(public)
    archive_document(document=documents["bio"])
    assert is_outdated(public)
    build_communities(collection=public)
    assert not is_outdated(public)
    assert len(WASTE) - 1 == min(community.members.count() for community in Community.objects.all())
