"""Sign-in with the password of an LDAP directory, against OpenLDAP's server."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from pytest_django import Settings

from ingestion.models import Collection
from ingestion.selectors import visible_collections
from knowledgetree.identity.following import refresh_accounts
from knowledgetree.identity.models import DirectoryGroup
from knowledgetree.identity.reachability import directory_states
from tests.knowledgetree.identity.slapd import SUFFIX, Slapd, running_slapd

pytestmark = pytest.mark.django_db

BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "knowledgetree.identity.ldap_directory.DirectoryBackend",
]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slapd]:
    with running_slapd(tmp_path_factory.mktemp("slapd")) as directory:
        yield directory


@pytest.fixture
def directory(running: Slapd, settings: Settings) -> Slapd:
    settings.LDAP, settings.AUTHENTICATION_BACKENDS = running.options, BACKENDS
    running.change_members("anna")
    return running


@pytest.fixture
def staff_department(restricted: Collection) -> Group:
    group = restricted.groups.get()
    DirectoryGroup.objects.create(name=f"CN=Kadry,OU=grupy,{SUFFIX}", group=group)
    return group


def attempt(client: Client, name: str, password: str) -> Any:
    return client.post("/login/", {"login": name, "password": password})


def signed_in(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def test_somebody_new_gets_an_account_and_the_groups_that_are_mapped(
    client: Client, directory: Slapd, staff_department: Group, restricted: Collection
) -> None:
    assert attempt(client, "anna", "anny-haslo").headers["Location"] == "/"
    anna = signed_in(client)
    assert anna is not None
    assert (anna.username, anna.first_name, anna.last_name, anna.email) == (
        "anna", "Anna", "Nowak", "anna@urzad.example",
    )  # fmt: skip
    assert not anna.has_usable_password()
    assert set(anna.groups.all()) == {staff_department}
    assert restricted in visible_collections(anna)
    assert anna.directory_account.names == ["Kadry", f"cn=kadry,ou=grupy,{SUFFIX}"]


def test_a_group_is_mapped_by_its_short_name_too(client: Client, directory: Slapd) -> None:
    group = Group.objects.create(name="Personel")
    DirectoryGroup.objects.create(name="kadry", group=group)
    attempt(client, "anna", "anny-haslo")
    assert set(User.objects.get().groups.all()) == {group}


def test_a_group_that_was_taken_away_opens_nothing_from_the_next_sign_in_on(
    client: Client, directory: Slapd, staff_department: Group, restricted: Collection
) -> None:
    attempt(client, "anna", "anny-haslo")
    directory.change_members("jan")
    attempt(Client(), "anna", "anny-haslo")
    assert restricted not in visible_collections(User.objects.get())


def test_whoever_is_in_no_group_signs_in(client: Client, directory: Slapd, staff_department: Group) -> None:
    attempt(client, "jan", "jana-haslo")
    jan = signed_in(client)
    assert jan is not None
    assert not jan.groups.exists()


@pytest.mark.parametrize(("name", "password"), [("anna", "nie"), ("nikt", "nie"), ("*", "anny-haslo"), ("an*", "x")])
def test_a_wrong_name_or_password_is_refused_in_the_same_words(
    client: Client, directory: Slapd, name: str, password: str
) -> None:
    response = attempt(client, name, password)
    assert response.status_code == 200
    assert "Nazwa użytkownika lub hasło jest nieprawidłowe." in response.content.decode()
    assert not User.objects.exists()


def test_however_a_name_is_written_it_is_one_account(client: Client, directory: Slapd) -> None:
    for name in ("anna", "ANNA", "anna@urzad.example"):
        assert attempt(Client(), name, "anny-haslo").status_code == 302
    assert User.objects.get().username == "anna"


def test_attempts_are_counted_for_the_directory_too(client: Client, directory: Slapd, settings: Settings) -> None:
    settings.LOGIN_RATE = "2/min"
    assert [attempt(client, "anna", "nie").status_code for _ in range(3)] == [200, 200, 429]
    assert attempt(client, "anna", "anny-haslo").status_code == 429
    assert not User.objects.exists()


def test_an_account_that_was_made_here_is_not_opened_by_its_name_in_the_directory(
    client: Client, directory: Slapd
) -> None:
    User.objects.create_superuser("anna", password="inne-haslo")
    response = attempt(client, "anna", "anny-haslo")
    assert "Jest tu już konto" in response.content.decode()
    assert signed_in(client) is None
    assert attempt(client, "anna", "inne-haslo").status_code == 302


def test_an_account_without_password_waits_for_the_directory(client: Client, directory: Slapd) -> None:
    """Made by an administrator beforehand, with groups of its own."""
    prepared = User.objects.create_user("anna")
    attempt(client, "anna", "anny-haslo")
    assert signed_in(client) == prepared


def test_an_empty_password_binds_nobody(client: Client, directory: Slapd) -> None:
    assert attempt(client, "anna", "").status_code == 200
    assert signed_in(client) is None


def test_a_switched_off_account_stays_out(client: Client, directory: Slapd) -> None:
    attempt(client, "anna", "anny-haslo")
    User.objects.update(is_active=False)
    other = Client()
    attempt(other, "anna", "anny-haslo")
    assert signed_in(other) is None


def test_a_directory_that_is_away_is_no_wrong_password(
    client: Client, directory: Slapd, settings: Settings, employee: User
) -> None:
    settings.LDAP = replace(directory.options, uri="ldap://127.0.0.1:1")
    settings.LOGIN_FAILURE_RATE = "1/hour"
    for _ in range(2):  # nobody has guessed anything
        response = attempt(client, "anna", "anny-haslo")
        assert response.status_code == 503
        assert "Katalog nie odpowiada" in response.content.decode()
    assert attempt(client, "pracownik", "haslo").status_code == 302


def test_a_wrong_account_for_searches_is_no_wrong_password(
    client: Client, directory: Slapd, settings: Settings
) -> None:
    settings.LDAP = replace(directory.options, bind_password="nie")
    assert attempt(client, "anna", "anny-haslo").status_code == 503


def test_without_a_sign_in_rights_follow_the_directory_once_a_day(
    client: Client, directory: Slapd, staff_department: Group, restricted: Collection
) -> None:
    attempt(client, "anna", "anny-haslo")
    directory.change_members("jan")
    refresh_accounts()
    assert restricted not in visible_collections(User.objects.get())
    assert client.get("/account/").status_code == 200


def test_who_is_gone_from_the_directory_is_switched_off_and_signed_out(
    client: Client, directory: Slapd, employee: User
) -> None:
    directory.enter("ewa", "ewy-haslo")
    browser = Client()
    attempt(browser, "ewa", "ewy-haslo")
    attempt(client, "jan", "jana-haslo")
    directory.remove("ewa")
    refresh_accounts()
    assert dict(User.objects.values_list("username", "is_active")) == {"ewa": False, "jan": True, "pracownik": True}
    assert browser.get("/account/").status_code == 302
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize("wrong", [{"user_base": f"ou=grupy,{SUFFIX}"}, {"uri": "ldap://127.0.0.1:1"}])
def test_a_wrong_setting_switches_nobody_off(
    client: Client, directory: Slapd, settings: Settings, wrong: dict[str, str]
) -> None:
    attempt(client, "anna", "anny-haslo")
    settings.LDAP = replace(directory.options, **wrong)  # type: ignore[arg-type]
    refresh_accounts()
    assert User.objects.get().is_active


def test_doctor_says_whether_the_directory_answers(directory: Slapd, settings: Settings) -> None:
    assert [state.well for state in directory_states()] == [True]
    for wrong in (
        {"bind_password": "nie"},
        {"group_base": "ou=nie-ma,dc=urzad,dc=example"},
        {"uri": "ldap://127.0.0.1:1"},
    ):
        settings.LDAP = replace(directory.options, **wrong)
        (state,) = directory_states()
        assert not state.well
        assert state.detail
        assert "LDAP_URI" in state.remedy
