"""Roles of a group: permissions in words."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.admin.access.permissions import ROLES, give_role, role_of
from ingestion.models import Collection


@pytest.fixture
def group(db: None) -> Group:
    return Group.objects.create(name="Redakcja")


def press(user: User, group: Group, key: str) -> int:
    client = Client()
    client.force_login(user)
    return client.post(reverse("admin:auth_group_role", args=[group.pk, key])).status_code


@pytest.mark.parametrize("key", ROLES)
def test_a_role_is_given_by_a_button(superuser: User, group: Group, key: str) -> None:
    assert press(superuser, group, key) == 302
    assert role_of(group) == key


def test_an_editor_adds_documents_and_sets_up_no_collections(group: Group, employee: User) -> None:
    give_role(group=group, role=ROLES["editor"])
    employee.groups.add(group)
    assert employee.has_perm("ingestion.add_document")
    assert not employee.has_perm("ingestion.add_collection")
    assert not employee.has_perm("auth.view_user")


def test_a_role_takes_nothing_that_it_does_not_govern(group: Group) -> None:
    apart = Permission.objects.filter(
        codename__in=["see_personal_data", "view_session", "view_schedule", "view_exchange"]
    )
    group.permissions.set([*apart, *Permission.objects.filter(codename="add_collection")])
    give_role(group=group, role=ROLES["reader"])
    assert set(group.permissions.all()) == set(apart)
    assert role_of(group) == "reader"


def test_saving_the_form_drops_no_permission(superuser: User, group: Group, client: Client) -> None:
    group.permissions.set(Permission.objects.filter(codename__in=["view_session", "view_schedule", "add_document"]))
    client.force_login(superuser)
    page = reverse("admin:auth_group_change", args=[group.pk])
    shown = client.get(page).context["adminform"].form["permissions"].value()
    client.post(page, {"name": "Redaktorzy", "permissions": shown})
    group.refresh_from_db()
    assert group.name == "Redaktorzy"
    assert group.permissions.count() == 3


def test_roles_are_given_by_those_who_may_change_groups(member: User, group: Group, restricted: Collection) -> None:
    member.is_staff = True
    member.save()
    assert press(member, group, "administrator") == 403
    member.user_permissions.add(Permission.objects.get(codename="view_group"))
    assert press(member, group, "administrator") == 403
    assert not group.permissions.exists()
    assert press(member, group, "king") == 404
