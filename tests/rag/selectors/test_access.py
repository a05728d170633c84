"""Who may see what was asked, what is measured and with whom one speaks: one rule for each kind, in every screen."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from rag import selectors
from rag.models import Assistant, Conversation, EvaluationDataset, EvaluationRun, Exchange, KnowledgeGap

READERS = ("anonymous", "employee", "member")
EDITORS = ("editor", "insider", "superuser")
RIGHTS = ("evaluationdataset", "evaluationrun", "knowledgegap", "assistant")


@pytest.fixture
def people(employee: User, member: User, superuser: User, restricted: Collection) -> dict[str, Viewer]:
    """Readers without and with a right to the restricted collection, editors likewise, and who sees everything."""
    editors = {name: User.objects.create_user(name, is_staff=True) for name in ("editor", "insider")}
    for one in editors.values():
        one.user_permissions.set(
            Permission.objects.filter(content_type__app_label="rag", content_type__model__in=RIGHTS)
        )
    editors["insider"].groups.set(restricted.groups.all())
    return {"anonymous": AnonymousUser(), "employee": employee, "member": member, "superuser": superuser, **editors}


@pytest.fixture(autouse=True)
def _rows(public: Collection, restricted: Collection) -> None:
    """Of each kind one row of the public collection, and one of the restricted."""
    for collection in (public, restricted):
        name = collection.slug
        EvaluationDataset.objects.create(name=name, collection=collection)
        EvaluationRun.objects.create(dataset=name, kind="retrieval", preset="offline", questions=1)
        Assistant.objects.create(name=name, slug=name).collections.add(collection)
        exchange = Exchange.objects.create(
            conversation=Conversation.objects.create(title=name), question=name, answer=".", outcome="not_found"
        )
        exchange.collections.add(collection)
        KnowledgeGap.objects.create().exchanges.add(exchange)


Rule = Callable[[Any], QuerySet[Any]]
BY_COLLECTION: dict[str, tuple[Rule, str]] = {
    "offered assistants": (selectors.offered_assistants, "slug"),
    "editable assistants": (selectors.editable_assistants, "slug"),
    "exchanges": (selectors.readable_exchanges, "question"),
    "gaps": (selectors.visible_gaps, "exchanges__question"),
    "measurable sets": (lambda viewer: selectors.measurable_datasets(viewer, collection=None), "name"),
}
BY_PERMISSION: dict[str, tuple[Rule, str]] = {
    "sets": (selectors.visible_datasets, "name"),
    "runs": (selectors.visible_runs, "dataset"),
    "sets to mark": (selectors.markable_datasets, "name"),
}
BOTH, OPEN = {"publiczna", "poufna"}, {"publiczna"}


@pytest.mark.parametrize("kind", BY_COLLECTION)
def test_what_rests_on_a_closed_collection_is_not_seen(people: dict[str, Viewer], kind: str) -> None:
    rule, name = BY_COLLECTION[kind]
    seen = {who: set(rule(viewer).values_list(name, flat=True)) for who, viewer in people.items()}
    assert seen == {who: BOTH if who in ("member", "insider", "superuser") else OPEN for who in people}


@pytest.mark.parametrize("kind", BY_PERMISSION)
def test_what_is_measured_is_seen_with_the_permission_and_the_collection(people: dict[str, Viewer], kind: str) -> None:
    rule, name = BY_PERMISSION[kind]
    seen = {who: set(rule(viewer).values_list(name, flat=True)) for who, viewer in people.items()}
    assert seen == {who: set() for who in READERS} | {"editor": OPEN, "insider": BOTH, "superuser": BOTH}


def test_a_measurement_of_a_set_that_is_gone_is_the_superusers(people: dict[str, Viewer]) -> None:
    EvaluationDataset.objects.all().delete()
    assert {who for who, viewer in people.items() if selectors.visible_runs(viewer).exists()} == {"superuser"}  # type: ignore[arg-type]


def test_conversations_are_their_owners_and_of_the_anonymous_their_session(people: dict[str, Viewer]) -> None:
    own = Conversation.objects.create(title="moja", owner=people["member"])  # type: ignore[misc]
    nameless = Conversation.objects.create(title="bez nazwiska", session_key="abc")
    for who, viewer in people.items():
        expected = {"member": {own}, "anonymous": {nameless}}.get(who, set())
        assert set(selectors.conversations_of(viewer, "abc")) == expected
    assert not selectors.conversations_of(AnonymousUser(), "").exists()


@pytest.mark.parametrize("model", ["evaluationdataset", "evaluationrun", "assistant", "knowledgegap"])
def test_the_admin_lists_what_the_rule_says(people: dict[str, Viewer], client: Client, model: str) -> None:
    for who in EDITORS:
        client.force_login(people[who])  # type: ignore[arg-type]
        shown = client.get(reverse(f"admin:rag_{model}_changelist")).content.decode()
        assert "publiczna" in shown
        assert ("poufna" in shown) == (who != "editor")
    client.force_login(people["member"])  # type: ignore[arg-type]
    assert client.get(reverse(f"admin:rag_{model}_changelist")).status_code == 302


def test_what_people_asked_is_for_superusers(people: dict[str, Viewer], client: Client) -> None:
    for who in EDITORS:
        client.force_login(people[who])  # type: ignore[arg-type]
        answer = client.get(reverse("admin:rag_exchange_changelist"))
        assert (answer.status_code == 200) == (who == "superuser")
