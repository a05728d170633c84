"""Who keeps accounts cannot make themselves more than they are."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.admin.access.permissions import ROLES, give_role


@pytest.fixture
def keeper(employee: User) -> User:
    """In the role administrator, as its button gives it."""
    group = Group.objects.create(name="Administracja")
    give_role(group=group, role=ROLES["administrator"])
    employee.is_staff = True
    employee.save()
    employee.groups.add(group)
    return employee


@pytest.fixture
def desk(keeper: User, client: Client) -> Client:
    client.force_login(keeper)
    return client


@pytest.fixture
def reader(db: None) -> User:
    return User.objects.create_user("czytelnik", password="haslo")


def change(desk: Client, account: User, **fields: object) -> int:
    times = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
    form = {"username": account.username, "is_active": "on", **times, **fields}
    return desk.post(reverse("admin:auth_user_change", args=[account.pk]), form).status_code


def permission(codename: str) -> Permission:
    return Permission.objects.get(codename=codename)


def test_nobody_makes_themselves_superuser(desk: Client, keeper: User) -> None:
    change(desk, keeper, is_staff="on", is_superuser="on", groups=[group.pk for group in keeper.groups.all()])
    keeper.refresh_from_db()
    assert keeper.is_staff
    assert not keeper.is_superuser


def test_a_new_account_is_no_superuser_either(desk: Client) -> None:
    page, password = reverse("admin:auth_user_add"), "dlugie-haslo-91"
    form = {"username": "nowa", "password1": password, "password2": password, "usable_password": "true"}
    desk.post(page, form | {"is_superuser": "on"})
    assert not User.objects.get(username="nowa").is_superuser


def test_a_superuser_is_left_alone(desk: Client, superuser: User) -> None:
    assert change(desk, superuser, email="ktos@urzad.example") == 403
    password = {"password1": "inne-haslo-91", "password2": "inne-haslo-91", "usable_password": "true"}
    assert desk.post(reverse("admin:auth_user_password_change", args=[superuser.pk]), password).status_code == 403
    assert desk.post(reverse("admin:auth_user_delete", args=[superuser.pk]), {"post": "yes"}).status_code == 403
    several = {"action": "delete_selected", "_selected_action": [superuser.pk], "post": "yes"}
    desk.post(reverse("admin:auth_user_changelist"), several)
    superuser.refresh_from_db()
    assert superuser.check_password("haslo")
    assert superuser.email == ""


def test_who_may_see_more_is_not_taken_over_by_a_new_password(desk: Client, reader: User) -> None:
    reader.user_permissions.add(permission("see_personal_data"))
    password = {"password1": "inne-haslo-91", "password2": "inne-haslo-91", "usable_password": "true"}
    assert desk.post(reverse("admin:auth_user_password_change", args=[reader.pk]), password).status_code == 403
    reader.refresh_from_db()
    assert reader.check_password("haslo")


@pytest.mark.parametrize("codename", ["see_personal_data", "view_exchange"])
def test_nobody_gives_a_permission_that_they_do_not_have(codename: str, desk: Client, reader: User) -> None:
    change(desk, reader, user_permissions=[permission(codename).pk])
    assert not reader.user_permissions.exists()
    group = Group.objects.create(name="Nowa")
    desk.post(
        reverse("admin:auth_group_change", args=[group.pk]), {"name": "Nowa", "permissions": [permission(codename).pk]}
    )
    assert not group.permissions.exists()


def test_nobody_joins_a_group_that_may_more(desk: Client, keeper: User, reader: User) -> None:
    powerful = Group.objects.create(name="Wgląd")
    powerful.permissions.add(permission("see_personal_data"))
    change(desk, reader, groups=[powerful.pk])
    assert not reader.groups.exists()


def test_what_one_has_can_be_given(desk: Client, keeper: User, reader: User) -> None:
    given = [permission("add_document").pk]
    assert change(desk, reader, user_permissions=given, groups=[keeper.groups.get().pk]) == 302
    assert reader.user_permissions.get().codename == "add_document"
    assert reader.groups.get() == keeper.groups.get()


def test_saving_a_group_takes_nothing_that_the_form_does_not_show(desk: Client) -> None:
    group = Group.objects.create(name="Wgląd")
    group.permissions.add(permission("see_personal_data"), permission("add_document"))
    page = reverse("admin:auth_group_change", args=[group.pk])
    assert (
        desk.post(page, {"name": "Wgląd do danych", "permissions": [permission("add_document").pk]}).status_code == 302
    )
    assert set(group.permissions.values_list("codename", flat=True)) == {"see_personal_data", "add_document"}


def test_a_role_that_is_more_than_ones_own_is_not_given(employee: User, client: Client) -> None:
    employee.is_staff = True
    employee.save()
    employee.user_permissions.add(permission("change_group"), permission("view_group"))
    group = Group.objects.create(name="Redakcja")
    client.force_login(employee)
    assert client.post(reverse("admin:auth_group_role", args=[group.pk, "administrator"])).status_code == 403
    assert not group.permissions.exists()


def test_superusers_keep_superusers(client: Client, superuser: User, reader: User) -> None:
    client.force_login(superuser)
    assert change(client, reader, is_superuser="on", user_permissions=[permission("see_personal_data").pk]) == 302
    reader.refresh_from_db()
    assert reader.is_superuser
    assert reader.user_permissions.exists()
