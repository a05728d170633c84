"""What is changed in the configuration is in the log, with what it was and what it is, and without secrets."""

import pytest
from auditlog.registry import auditlog
from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command

from ingestion.models import ApiKey, Collection
from ingestion.services.api_keys import cancel_key, create_key, replace_key
from knowledgetree.audit.configuration import COVERED, TRACKED, covered
from knowledgetree.audit.models import AuditEntry
from knowledgetree.webhooks.keeping import create_webhook, replace_secret
from rag.models import Assistant, Conversation
from tests.ingestion.api.library import Library

Action = AuditEntry.Action


def last(kind: str) -> AuditEntry:
    return AuditEntry.objects.filter(subject_type=kind).latest("pk")


@pytest.mark.parametrize("tracked", TRACKED, ids=lambda tracked: tracked["model"])
def test_every_field_that_is_named_exists(tracked: dict[str, list[str]]) -> None:
    model = apps.get_model(str(tracked["model"]))
    assert auditlog.contains(model)
    for option, names in tracked.items():
        if option.endswith("_fields"):
            assert {model._meta.get_field(name).name for name in names} == set(names)


@pytest.mark.django_db
def test_made_changed_and_deleted_with_both_values() -> None:
    collection = Collection.objects.create(name="Kadry", slug="kadry", visibility="internal")
    collection.visibility = "public"
    collection.save()
    changed = last("ingestion.collection")
    assert (changed.action, changed.label) == (Action.UPDATE, "Kadry")
    assert changed.details["changes"] == {"visibility": ["internal", "public"]}
    collection.delete()
    actions = AuditEntry.objects.filter(subject_type="ingestion.collection").order_by("pk")
    assert [entry.action for entry in actions] == [Action.CREATE, Action.UPDATE, Action.DELETE]


@pytest.mark.django_db
def test_what_a_group_may_and_who_is_in_it() -> None:
    group, user = Group.objects.create(name="Kadry"), User.objects.create_user("pracownik")
    group.permissions.add(Permission.objects.get(codename="add_document"))
    assert "add" in last("auth.group").details["changes"]["permissions"]
    user.groups.add(group)
    assert last("auth.user").details["changes"] == {"groups": {"add": ["Kadry"]}}
    user.groups.clear()
    assert last("auth.user").action == Action.UPDATE


@pytest.mark.django_db
def test_of_a_password_only_that_it_was_changed() -> None:
    user = User.objects.create_user("pracownik", password="stare", email="jan@example.pl", last_name="Kowalski")
    user.set_password("nowe")
    user.save()
    assert last("auth.user").details["changes"] == {"password": [COVERED, COVERED]}
    written = str(list(AuditEntry.objects.values()))
    assert user.password not in written
    assert "Kowalski" not in written
    assert "jan@example.pl" not in written


@pytest.mark.django_db
def test_keys_made_replaced_and_revoked() -> None:
    user = User.objects.create_user("program")
    key, secret = create_key(name="intranet", owner=user, scopes=["ask"])
    assert last("ingestion.apikey").action == Action.CREATE
    replace_key(key)
    assert "expires" in last("ingestion.apikey").details["changes"]
    cancel_key(key)
    assert "revoked" in last("ingestion.apikey").details["changes"]
    cancel_key(key)
    kinds = AuditEntry.objects.filter(subject_type="ingestion.apikey", subject=str(key.pk))
    assert [entry.action for entry in kinds.order_by("pk")] == [Action.CREATE, Action.UPDATE, Action.UPDATE]
    written = str(list(AuditEntry.objects.values()))
    assert secret not in written
    assert ApiKey.objects.get(pk=key.pk).digest not in written


@pytest.mark.django_db
def test_of_a_webhook_s_address_the_server_alone() -> None:
    webhook, secret = create_webhook(name="czat", url="https://chat.example.pl/T0/tajne", events=["gap.opened"])
    replace_secret(webhook)
    written = str(list(AuditEntry.objects.values()))
    assert "https://chat.example.pl/" in written
    assert "tajne" not in written
    assert secret not in written
    assert webhook.encrypted_secret not in written


def test_a_secret_is_covered_whole() -> None:
    assert (covered("kt_abc"), covered("None")) == (COVERED, COVERED)


class TestInTheAdmin:
    def test_a_change_is_its_editor_s_and_stands_there_once(self, library: Library) -> None:
        assistant = Assistant.objects.create(name="Kadry", slug="kadry")
        page = f"/admin/rag/assistant/{assistant.pk}/change/"
        client = library.client("superuser")
        form = client.get(page).context["adminform"].form
        data = {name: value for name, value in form.initial.items() if value not in (None, [])}
        response = client.post(page, {**data, "name": "Kadry i płace", "parts": "{}"})
        assert response.status_code == 302, response.context["adminform"].form.errors
        changed = AuditEntry.objects.get(subject_type="rag.assistant", action=Action.UPDATE)
        assert (changed.user_name, changed.door) == ("superuser", "admin")
        assert changed.details["changes"]["name"] == ["Kadry", "Kadry i płace"]

    @pytest.mark.parametrize("count", [1, 3])
    def test_several_deleted_at_once_are_each_recorded(self, library: Library, count: int) -> None:
        rows = [Conversation.objects.create(title="Czyjaś") for _number in range(count)]
        chosen = {"action": "delete_selected", "_selected_action": [row.pk for row in rows], "post": "yes"}
        library.client("superuser").post("/admin/rag/conversation/", chosen)
        assert not Conversation.objects.exists()
        deleted = AuditEntry.objects.filter(subject_type="rag.conversation", action=Action.DELETE)
        assert {entry.subject for entry in deleted} == {str(row.pk) for row in rows}
        assert len(deleted) == count
        assert "Czyjaś" not in str(list(deleted.values()))


@pytest.mark.django_db
def test_a_command_s_change_has_the_name_of_who_sits_there() -> None:
    User.objects.create_user("program")
    call_command("api_key", "make", "intranet", "--user", "program", "--scope", "ask", verbosity=0)
    made = last("ingestion.apikey")
    assert made.door == "command"
    assert made.user_name
