"""One form for an account: a role is chosen, not a hundred permissions."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.admin.access.account_form import role_of_account
from ingestion.admin.access.permissions import ROLES, give_role

PASSWORD = {"password1": "dlugie-haslo-91", "password2": "dlugie-haslo-91", "usable_password": "true"}


@pytest.fixture
def office(superuser: User, client: Client) -> Client:
    client.force_login(superuser)
    return client


def test_an_editor_is_made_on_one_page(office: Client) -> None:
    form = {"username": "ewa", "first_name": "Ewa", "email": "ewa@urzad.example", "role": "editor"} | PASSWORD
    office.post(reverse("admin:auth_user_add"), form)
    ewa = User.objects.get(username="ewa")
    assert (ewa.is_staff, ewa.email, role_of_account(ewa)) == (True, "ewa@urzad.example", "editor")
    assert ewa.has_perm("ingestion.add_document")
    assert not ewa.has_perm("auth.change_user")


def test_a_role_is_taken_back_by_choosing_another(office: Client) -> None:
    office.post(reverse("admin:auth_user_add"), {"username": "jan", "role": "administrator"} | PASSWORD)
    jan = User.objects.get(username="jan")
    times = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00", "is_active": "on"}
    groups = [group.pk for group in jan.groups.all()]
    office.post(
        reverse("admin:auth_user_change", args=[jan.pk]),
        {"username": "jan", "role": "reader", "groups": groups} | times,
    )
    jan = User.objects.get(username="jan")
    assert (jan.is_staff, role_of_account(jan), jan.groups.count()) == (False, "reader", 0)


def test_a_new_account_is_a_reader_unless_said_otherwise(office: Client) -> None:
    office.post(reverse("admin:auth_user_add"), {"username": "ola", "role": "reader"} | PASSWORD)
    ola = User.objects.get(username="ola")
    assert (ola.is_staff, ola.groups.count(), role_of_account(ola)) == (False, 0, "reader")


def test_nobody_gives_a_role_beyond_their_own(client: Client, employee: User) -> None:
    keepers = employee.groups.create(name="Kadry")
    give_role(group=keepers, role=ROLES["reader"])
    keepers.permissions.add(*_permissions("add_user", "change_user", "view_user"))
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    client.post(reverse("admin:auth_user_add"), {"username": "obca", "role": "administrator"} | PASSWORD)
    stranger = User.objects.get(username="obca")
    assert (stranger.is_staff, stranger.groups.count()) == (False, 0)


def test_a_group_that_only_has_the_name_of_a_role_is_left_alone(office: Client) -> None:
    own = Group.objects.create(name="Redaktorzy")  # may open collections that no editor is meant to see
    office.post(reverse("admin:auth_user_add"), {"username": "ewa", "role": "editor"} | PASSWORD)
    ewa = User.objects.get(username="ewa")
    assert role_of_account(ewa) == "editor"
    assert own not in ewa.groups.all()


def _permissions(*names: str) -> list[Permission]:
    return list(Permission.objects.filter(codename__in=names))
