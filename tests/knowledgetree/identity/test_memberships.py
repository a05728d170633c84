"""What a directory gives, and what it takes away again: that alone."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from knowledgetree.identity.memberships import LONGEST_NAME, update_all_memberships, update_memberships
from knowledgetree.identity.models import DirectoryAccount, DirectoryGroup


@pytest.fixture
def groups(db: None) -> dict[str, Group]:
    made = {name: Group.objects.create(name=name) for name in ("Kadry", "Prawnicy", "Komisja")}
    for name in ("Kadry", "Prawnicy"):
        DirectoryGroup.objects.create(name=f"d-{name}", group=made[name])
    return made


def sign_in(user: User, *names: str) -> set[str]:
    """The names of the groups here after it."""
    update_memberships(user, source="ldap", names=names)
    return set(user.groups.values_list("name", flat=True))


def test_memberships_follow_at_each_sign_in(employee: User, groups: dict[str, Group]) -> None:
    assert sign_in(employee, "D-KADRY", "nieznana") == {"Kadry"}
    assert sign_in(employee, "d-Kadry", "d-Prawnicy") == {"Kadry", "Prawnicy"}
    assert sign_in(employee, "d-Prawnicy") == {"Prawnicy"}
    assert sign_in(employee) == set()


def test_what_was_given_by_hand_is_not_taken_away_though_the_directory_gave_it_too(
    employee: User, groups: dict[str, Group]
) -> None:
    employee.groups.add(groups["Kadry"], groups["Komisja"])
    assert sign_in(employee, "d-Kadry") == {"Kadry", "Komisja"}
    assert sign_in(employee) == {"Kadry", "Komisja"}


def test_several_groups_there_may_be_one_here(employee: User, groups: dict[str, Group]) -> None:
    DirectoryGroup.objects.create(name="d-Szefowie", group=groups["Kadry"])
    assert sign_in(employee, "d-Kadry", "d-Szefowie") == {"Kadry"}
    assert sign_in(employee, "d-Szefowie") == {"Kadry"}


@pytest.mark.parametrize(
    ("mapped", "flags"), [({"makes_staff": True}, (True, False)), ({"makes_superuser": True}, (True, True))]
)
def test_the_administration_is_opened_and_closed_by_the_directory(
    employee: User, mapped: dict[str, bool], flags: tuple[bool, bool]
) -> None:
    DirectoryGroup.objects.create(name="d-Informatycy", **mapped)
    for names, expected in ((["d-informatycy"], flags), ([], (False, False))):
        sign_in(employee, *names)
        employee.refresh_from_db()
        assert (employee.is_staff, employee.is_superuser) == expected


def test_who_is_a_superuser_by_hand_stays_one(superuser: User) -> None:
    DirectoryGroup.objects.create(name="d-Informatycy", makes_superuser=True)
    for names in (["d-Informatycy"], []):
        sign_in(superuser, *names)
        superuser.refresh_from_db()
        assert superuser.is_superuser
        assert superuser.is_staff


def test_a_change_of_the_table_counts_by_what_was_said_last(employee: User, groups: dict[str, Group]) -> None:
    sign_in(employee, "d-Kadry", "d-Komisja")
    DirectoryGroup.objects.create(name="d-Komisja", group=groups["Komisja"])
    DirectoryGroup.objects.filter(name="d-Kadry").delete()
    update_all_memberships()
    assert set(employee.groups.values_list("name", flat=True)) == {"Komisja"}


def test_names_that_no_directory_gives_are_left_out(employee: User) -> None:
    update_memberships(employee, source="ldap", names=["x" * (LONGEST_NAME + 1), "", "kadry", "kadry"])
    assert DirectoryAccount.objects.get().names == ["kadry"]


def table(client: Client, *, name: str, group: Group) -> int:
    page = reverse("admin:knowledgetree_directorygroup_add")
    return client.post(page, {"name": name, "group": group.pk}).status_code


def test_superusers_alone_keep_the_table(client: Client, superuser: User, employee: User) -> None:
    group = Group.objects.create(name="Kadry")
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    assert table(client, name="x", group=group) == 403
    assert client.get(reverse("admin:knowledgetree_directorygroup_changelist")).status_code == 403
    client.force_login(superuser)
    sign_in(employee, "d-Kadry")
    assert table(client, name="d-kadry", group=group) == 302
    assert set(employee.groups.all()) == {group}
    row = DirectoryGroup.objects.get()
    client.post(reverse("admin:knowledgetree_directorygroup_delete", args=[row.pk]), {"post": "yes"})
    assert not employee.groups.exists()


def test_the_page_of_an_account_shows_what_the_directory_calls_its_groups(
    client: Client, superuser: User, employee: User
) -> None:
    sign_in(employee, "cn=kadry,dc=urzad")
    client.force_login(superuser)
    page = client.get(reverse("admin:auth_user_change", args=[employee.pk])).content.decode()
    assert "LDAP: cn=kadry,dc=urzad" in page
