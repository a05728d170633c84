"""A setting of a directory that cannot work stops the program and says what to write."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from knowledgetree.identity.checks import check_directories
from knowledgetree.identity.environment import (
    ldap_environment,
    oidc_environment,
    providers_of,
    saml_environment,
)
from knowledgetree.identity.reachability import directory_states
from tests.knowledgetree.identity.openid import configure, running_provider
from tests.web_site import Page, WebSite

ROOT = Path(__file__).parents[3]
OIDC = {"OIDC_ISSUER": "https://id.example", "OIDC_CLIENT_ID": "wiedza", "OIDC_CLIENT_SECRET": "s"}
LDAP = {"LDAP_URI": "ldaps://ldap.example", "LDAP_USER_BASE": "dc=example"}
SAML = {"SAML_METADATA_URL": "https://id.example/metadata", "SAML_ENTITY_ID": "https://id.example"}

Reader = Callable[[], Any]


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("OIDC_", "LDAP_", "SAML_"))]:
        monkeypatch.delenv(name)


def set_all(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("read", [oidc_environment, ldap_environment, saml_environment])
def test_nothing_set_is_no_directory(read: Reader) -> None:
    assert read() is None


@pytest.mark.parametrize(
    ("read", "right", "wrong", "said"),
    [
        (oidc_environment, OIDC, {"OIDC_CLIENT_ID": ""}, "OIDC_CLIENT_ID is not set"),
        (oidc_environment, OIDC, {"OIDC_CLIENT_SECRET": ""}, "OIDC_CLIENT_SECRET is not set"),
        (oidc_environment, OIDC, {"OIDC_ISSUER": "http://id.example"}, "https://"),
        (oidc_environment, OIDC, {"OIDC_ISSUER": "id.example"}, "https://"),
        (oidc_environment, OIDC, {"OIDC_CREATE_ACCOUNTS": "może"}, "OIDC_CREATE_ACCOUNTS"),
        (saml_environment, SAML, {"SAML_ENTITY_ID": ""}, "SAML_ENTITY_ID is not set"),
        (saml_environment, SAML, {"SAML_METADATA_URL": "http://id.example"}, "https://"),
        (ldap_environment, LDAP, {"LDAP_USER_BASE": ""}, "LDAP_USER_BASE is not set"),
        (ldap_environment, LDAP, {"LDAP_URI": "https://ldap.example"}, "ldaps://"),
        (ldap_environment, LDAP, {"LDAP_URI": "ldap://ldap.example"}, "unencrypted"),
        (ldap_environment, LDAP, {"LDAP_USER_FILTER": "(uid=anna)"}, "%(user)s"),
        (ldap_environment, LDAP, {"LDAP_GROUP_KIND": "grupy"}, "groupOfNames"),
    ],
)
def test_what_cannot_work_is_named(
    monkeypatch: pytest.MonkeyPatch, read: Reader, right: dict[str, str], wrong: dict[str, str], said: str
) -> None:
    set_all(monkeypatch, right)
    assert read() is not None
    set_all(monkeypatch, wrong)
    with pytest.raises(ImproperlyConfigured, match=said.replace("(", r"\(").replace(")", r"\)")):
        read()


@pytest.mark.parametrize("address", ["ldap://127.0.0.1:1389", "ldapi:///run/ldapi", "ldap://localhost"])
def test_on_this_machine_nothing_has_to_be_encrypted(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    set_all(monkeypatch, LDAP | {"LDAP_URI": address})
    assert ldap_environment() is not None


def test_a_secret_may_lie_in_a_file_and_is_not_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "sekret").write_text("tajne-z-pliku\n")
    set_all(monkeypatch, OIDC | {"OIDC_CLIENT_SECRET": "", "OIDC_CLIENT_SECRET_FILE": str(tmp_path / "sekret")})
    options = oidc_environment()
    assert options is not None
    assert options.client_secret == "tajne-z-pliku"
    assert "tajne-z-pliku" not in repr(options)


def test_assertions_have_to_be_signed_and_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    set_all(monkeypatch, SAML)
    advanced = providers_of(None, saml_environment())["saml"]["APPS"][0]["settings"]["advanced"]
    assert advanced == {"want_assertion_signed": True, "reject_idp_initiated_sso": True}


def test_registration_without_mail_is_refused(settings: Settings) -> None:
    settings.REGISTRATION, settings.EMAIL_HOST = True, ""
    assert [found.id for found in check_directories(None)] == ["knowledgetree.E022"]
    settings.EMAIL_HOST = "poczta.example"
    assert check_directories(None) == []


@pytest.mark.slow
def test_a_wrong_setting_stops_every_command() -> None:
    environment = {**os.environ, **LDAP, "LDAP_URI": "ldap://ldap.example"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0
    assert "LDAP_START_TLS=1" in ended.stderr


def test_doctor_says_whether_the_provider_answers(settings: Settings) -> None:
    with running_provider() as provider:
        configure(settings, provider.issuer)
        (state,) = directory_states()
        assert (state.well, state.detail) == (True, provider.issuer)
    with WebSite({"/.well-known/openid-configuration": Page('{"issuer": "https://inny.example"}')}) as site:
        configure(settings, site.url)
        (state,) = directory_states()
        assert not state.well
        assert "https://inny.example" in state.detail
    configure(settings, "http://127.0.0.1:1")
    (state,) = directory_states()
    assert not state.well
    assert "OIDC_ISSUER" in state.remedy
