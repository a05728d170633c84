"""Sign-in by OpenID Connect, against a provider that runs."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from pytest_django import Settings

from ingestion.models import Collection
from ingestion.selectors import visible_collections
from knowledgetree.identity.models import DirectoryAccount, DirectoryGroup
from tests.knowledgetree.identity.openid import Provider, come_back, configure, running_provider, sign_in
from tests.web_site import Page, WebSite

pytestmark = pytest.mark.django_db

ANNA = {"preferred_username": "anna", "name": "Anna Nowak", "email": "anna@urzad.example", "email_verified": True}


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider, settings: Settings) -> Provider:
    configure(settings, running.issuer)
    running.enter("1", **ANNA, groups=["kadry-w-katalogu", "inni"])
    return running


@pytest.fixture
def staff_department(restricted: Collection) -> Group:
    group = restricted.groups.get()
    DirectoryGroup.objects.create(name="Kadry-W-Katalogu", group=group)
    return group


def signed_in(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id")).first()


def code_of(response: Any) -> str:
    return str(response.context["error"].code)


def test_somebody_new_gets_an_account_and_the_groups_that_are_mapped(
    client: Client, provider: Provider, staff_department: Group, restricted: Collection
) -> None:
    response = sign_in(client, provider, "1")
    assert (response.status_code, response.headers["Location"]) == (302, "/")
    anna = signed_in(client)
    assert anna is not None
    assert (anna.username, anna.first_name, anna.last_name, anna.email) == ("anna", "Anna", "Nowak", ANNA["email"])
    assert not anna.has_usable_password()
    assert set(anna.groups.all()) == {staff_department}
    assert restricted in visible_collections(anna)
    assert anna.directory_account.names == ["inni", "kadry-w-katalogu"]


def test_who_comes_again_has_the_same_account_under_another_name(client: Client, provider: Provider) -> None:
    sign_in(client, provider, "1")
    provider.enter("1", **{**ANNA, "preferred_username": "anna.kowalska"}, groups=[])
    sign_in(Client(), provider, "1")
    assert User.objects.get().username == "anna"


def test_a_group_that_was_taken_away_opens_nothing_from_the_next_sign_in_on(
    client: Client, provider: Provider, staff_department: Group, restricted: Collection
) -> None:
    sign_in(client, provider, "1")
    provider.enter("1", **ANNA, groups=["inni"])
    sign_in(client, provider, "1")
    anna = User.objects.get(username="anna")
    assert not anna.groups.exists()
    assert restricted not in visible_collections(anna)


def test_what_was_given_by_hand_stays(client: Client, provider: Provider, staff_department: Group) -> None:
    sign_in(client, provider, "1")
    by_hand = Group.objects.create(name="Komisja")
    User.objects.get().groups.add(by_hand)
    provider.enter("1", **ANNA, groups=[])
    sign_in(client, provider, "1")
    assert set(User.objects.get().groups.all()) == {by_hand}


def test_somebody_without_groups_is_let_in_and_is_in_none(client: Client, provider: Provider) -> None:
    provider.enter("2", preferred_username="jan")
    sign_in(client, provider, "2")
    jan = signed_in(client)
    assert jan is not None
    assert not jan.groups.exists()
    assert jan.directory_account.names == []


@pytest.mark.parametrize("claim", ["realm_access.roles", "https://urzad.example/roles"])
def test_groups_are_read_where_the_provider_has_them(
    client: Client, provider: Provider, settings: Settings, staff_department: Group, claim: str
) -> None:
    configure(settings, provider.issuer, groups_claim=claim)
    told = {"realm_access": {"roles": ["kadry-w-katalogu"]}, "https://urzad.example/roles": "kadry-w-katalogu"}
    provider.enter("1", **ANNA, **told)
    sign_in(client, provider, "1")
    assert set(User.objects.get().groups.all()) == {staff_department}


def test_too_many_groups_to_name_are_not_none(client: Client, provider: Provider, staff_department: Group) -> None:
    sign_in(client, provider, "1")
    provider.enter("1", **ANNA, _claim_names={"groups": "src1"})
    assert code_of(sign_in(Client(), provider, "1")) == "provider_failed"
    assert set(User.objects.get().groups.all()) == {staff_department}


def test_the_page_that_was_wanted_comes_after(client: Client, provider: Provider) -> None:
    page = client.get("/login/?next=/library/").content.decode()
    assert "Zaloguj się przez Urząd" in page
    assert "/account/oidc/login/?process=login&amp;next=%2Flibrary%2F" in page
    response = sign_in(client, provider, "1", start="/account/oidc/login/?process=login&next=%2Flibrary%2F")
    assert response.headers["Location"] == "/library/"


def test_nobody_is_sent_elsewhere_after(client: Client, provider: Provider) -> None:
    response = sign_in(client, provider, "1", start="/account/oidc/login/?next=https%3A%2F%2Fevil.example%2F")
    assert response.headers["Location"] == "/"


def test_an_answer_to_a_question_that_nobody_asked_signs_nobody_in(client: Client, provider: Provider) -> None:
    """The link of somebody who wants others to work in their account."""
    attacker = Client()
    begun = attacker.get("/account/oidc/login/").headers["Location"]
    response = come_back(client, provider.consent(begun, "1"))
    assert (response.status_code, code_of(response)) == (401, "provider_failed")
    assert signed_in(client) is None
    changed = provider.consent(client.get("/account/oidc/login/").headers["Location"], "1").replace("state=", "state=x")
    assert come_back(client, changed).status_code == 401
    assert signed_in(client) is None


def test_an_answer_holds_once(client: Client, provider: Provider) -> None:
    back = provider.consent(client.get("/account/oidc/login/").headers["Location"], "1")
    assert come_back(client, back).status_code == 302
    client.logout()
    assert come_back(client, back).status_code == 401
    assert signed_in(client) is None


def test_who_says_no_is_back_at_the_door(client: Client, provider: Provider) -> None:
    begun = client.get("/account/oidc/login/").headers["Location"]
    assert come_back(client, provider.consent(begun, "1", deny=True)).headers["Location"] == "/login/"
    assert signed_in(client) is None


def test_tokens_of_another_issuer_are_refused(client: Client, provider: Provider, settings: Settings) -> None:
    """A description that names another issuer is right in itself: allauth believes it, and we do not."""
    with WebSite() as site:
        pages = {"/.well-known/openid-configuration": _as_json(provider.described())}
        site.pages = pages
        configure(settings, site.url)
        response = sign_in(client, provider, "1")
    assert (response.status_code, code_of(response)) == (401, "provider_failed")
    assert not User.objects.exists()


def test_a_token_and_an_endpoint_that_speak_of_different_people_are_refused(
    client: Client, provider: Provider, settings: Settings
) -> None:
    with WebSite() as site:
        endpoint = {"userinfo_endpoint": f"{site.url}/userinfo"}
        site.pages = {
            "/.well-known/openid-configuration": _as_json(provider.described() | endpoint),
            "/userinfo": _as_json({"sub": "dyrektor", "preferred_username": "dyrektor"}),
        }
        configure(settings, provider.issuer, described_at=site.url)
        response = sign_in(client, provider, "1")
    assert code_of(response) == "provider_failed"
    assert not User.objects.exists()


@pytest.mark.parametrize("described", [Page("<p>Przerwa</p>"), Page(status=503), Page("{}")])
def test_a_provider_that_is_away_is_said_to_be(client: Client, settings: Settings, described: Page) -> None:
    with WebSite({"/.well-known/openid-configuration": described}) as site:
        configure(settings, site.url)
        response = client.get("/account/oidc/login/")
    assert (response.status_code, code_of(response)) == (401, "provider_failed")


def test_an_account_of_the_same_name_or_address_is_not_taken_over(client: Client, provider: Provider) -> None:
    User.objects.create_superuser("ANNA", password="haslo")
    assert code_of(sign_in(client, provider, "1")) == "account_taken"
    User.objects.update(username="ktos", email="Anna@urzad.example")
    assert code_of(sign_in(client, provider, "1")) == "account_taken"
    assert signed_in(client) is None


def test_a_verified_address_opens_the_account_that_has_it_where_that_is_wanted(
    client: Client, provider: Provider, settings: Settings
) -> None:
    configure(settings, provider.issuer, link_by_email=True)
    mine = User.objects.create_user("anowak", email=str(ANNA["email"]), password="haslo")
    provider.enter("3", **{**ANNA, "preferred_username": "x", "email_verified": False})
    assert code_of(sign_in(Client(), provider, "3")) == "account_taken"
    sign_in(client, provider, "1")
    assert signed_in(client) == mine


def test_nobody_gets_an_account_where_none_are_made(client: Client, provider: Provider, settings: Settings) -> None:
    configure(settings, provider.issuer, create_accounts=False)
    assert code_of(sign_in(client, provider, "1")) == "no_account"
    assert not User.objects.exists()


def test_a_switched_off_account_stays_out(client: Client, provider: Provider) -> None:
    sign_in(client, provider, "1")
    User.objects.update(is_active=False)
    assert sign_in(Client(), provider, "1").headers["Location"] == "/account/off/"


def test_nobody_joins_a_directory_to_an_account_that_is_signed_in(
    client: Client, provider: Provider, employee: User
) -> None:
    """A link that a stranger sends must not make their directory account a way into somebody's account here."""
    client.force_login(employee)
    assert code_of(sign_in(client, provider, "1", start="/account/oidc/login/?process=connect")) == "provider_failed"
    assert not employee.socialaccount_set.exists()


def test_who_comes_by_a_directory_comes_again_after_some_hours(
    client: Client, provider: Provider, settings: Settings, employee: User
) -> None:
    settings.DIRECTORY_SESSION_HOURS = 3
    sign_in(client, provider, "1")
    assert 3 * 3600 - 600 < client.session.get_expiry_age() <= 3 * 3600
    other = Client()
    other.post("/login/", {"login": "pracownik", "password": "haslo"})
    assert other.session.get_expiry_age() > 24 * 3600


def test_no_provider_no_door(client: Client) -> None:
    assert client.get("/account/oidc/login/").status_code == 404
    assert "Zaloguj się przez" not in client.get("/login/").content.decode()
    assert not DirectoryAccount.objects.exists()


def _as_json(told: dict[str, Any]) -> Page:
    return Page(json.dumps(told), media_type="application/json")
