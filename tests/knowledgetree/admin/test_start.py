"""The first page of the admin: steps that tick themselves off, and what needs somebody, for this user alone."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone
from django_q.models import Schedule

from ingestion.models import Collection, Document, Job
from rag.models import Conversation, Exchange
from tests.ingestion.api.library import Library


def opened(client: Client) -> tuple[dict[str, bool], set[str]]:
    """Of the first page: the steps and whether each is done; the names of what needs attention."""
    start = client.get("/admin/").context["start"]
    return {step.name: step.done for step in start.steps}, {matter.name for matter in start.matters}


@pytest.fixture
def administrator(superuser: User, client: Client) -> Client:
    client.force_login(superuser)
    return client


def test_an_empty_installation_begins_with_a_collection(administrator: Client) -> None:
    steps, _matters = opened(administrator)
    assert steps == dict.fromkeys(["collection", "upload", "ready", "ask", "readers"], False)
    assert administrator.get("/admin/").context["start"].current == "collection"


def test_steps_tick_themselves_off(administrator: Client, internal: Collection, index: object) -> None:
    assert opened(administrator)[0]["readers"] is True
    index(internal, "Urlop trwa 20 dni.")  # type: ignore[operator]
    steps, _matters = opened(administrator)
    assert steps == {"collection": True, "upload": True, "ready": True, "ask": False, "readers": True}


def test_the_steps_are_gone_when_all_are_done(
    administrator: Client, superuser: User, internal: Collection, index: object
) -> None:
    index(internal, "Urlop trwa 20 dni.")  # type: ignore[operator]
    conversation = Conversation.objects.create(owner_id=superuser.pk)
    Exchange.objects.create(conversation=conversation, question="Ile?", outcome="answered")
    assert opened(administrator)[0] == {}


def test_a_question_of_somebody_else_is_not_mine(library: Library) -> None:
    conversation = Conversation.objects.create(owner_id=library.viewers["member"].pk)
    Exchange.objects.create(conversation=conversation, question="Ile?", outcome="answered")
    assert opened(library.client("superuser"))[0]["ask"] is False


def test_steps_are_only_those_that_the_user_may_do(library: Library) -> None:
    editor = library.viewers["editor"]
    editor.user_permissions.set(Permission.objects.filter(codename__in=["add_document", "view_document"]))
    steps, _matters = opened(library.client("editor"))
    assert set(steps) == {"upload", "ready", "ask"}


def test_somebody_without_permissions_is_shown_neither_steps_nor_troubles(library: Library) -> None:
    library.viewers["editor"].user_permissions.clear()
    assert opened(library.client("editor")) == ({}, set())


def test_what_failed_is_told_with_a_remedy(library: Library) -> None:
    Document.objects.filter(pk=library.waiting["public"].pk).update(status="failed", error_code="encrypted")
    Document.objects.filter(pk=library.ready["public"].pk).update(warnings=["Strona 2 jest pusta."])
    Job.objects.filter(document=library.ready["internal"]).update(status="failed")
    start = library.client("editor").get("/admin/").context["start"]
    matters = {matter.name: matter for matter in start.matters}
    assert {"failed-documents", "failed-jobs", "warnings"} <= set(matters)
    assert all(matter.remedy for matter in matters.values())
    for matter in matters.values():
        assert library.client("editor").get(matter.address).status_code == 200


def test_a_failure_in_a_hidden_collection_is_not_counted(library: Library) -> None:
    Document.objects.filter(pk=library.waiting["restricted"].pk).update(status="failed")
    Document.objects.filter(pk=library.ready["restricted"].pk).update(warnings=["Strona 2 jest pusta."])
    Job.objects.filter(document=library.ready["restricted"]).update(status="failed")
    seen = {"failed-documents", "failed-jobs", "warnings"}
    assert not seen & opened(library.client("editor"))[1]
    assert seen <= opened(library.client("superuser"))[1]


def test_a_failed_job_that_was_made_up_for_is_forgotten(library: Library) -> None:
    document = library.ready["public"]
    Job.objects.filter(document=document).update(status="failed")
    Job.objects.create(kind="index_document", document=document, collection=document.collection, status="succeeded")
    assert "failed-jobs" not in opened(library.client("superuser"))[1]


def test_a_worker_that_is_not_seen_is_told(library: Library) -> None:
    name = "knowledgetree: recover jobs"
    Schedule.objects.update_or_create(name=name, defaults={"next_run": timezone.now() + timedelta(minutes=1)})
    assert "worker" not in opened(library.client("superuser"))[1]
    Schedule.objects.filter(name=name).update(next_run=timezone.now() - timedelta(minutes=10))
    assert "worker" in opened(library.client("superuser"))[1]


def test_a_collection_that_nobody_sees_is_told_to_those_who_see_all(library: Library) -> None:
    library.collections["restricted"].groups.clear()
    assert "forgotten-collections" in opened(library.client("superuser"))[1]
    assert "forgotten-collections" not in opened(library.client("editor"))[1]
