"""An OpenID Connect provider on this machine, and somebody with a browser between it and us."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
from django.http import HttpResponseBase
from django.test import Client
from oidc_provider_mock import run_server_in_thread
from pytest_django import Settings

from knowledgetree.identity.environment import OIDCSettings, providers_of


class Provider:
    """`oidc-provider-mock` with people in it."""

    def __init__(self, port: int) -> None:
        self.issuer = f"http://127.0.0.1:{port}"

    def enter(self, subject: str, **claims: Any) -> None:
        """Somebody, or what is known of them from now on."""
        httpx.put(f"{self.issuer}/users/{subject}", json=claims).raise_for_status()

    def consent(self, authorization: str, subject: str, *, deny: bool = False) -> str:
        """The address that the provider sends the browser back to."""
        form = {"action": "deny"} if deny else {"sub": subject}
        response = httpx.post(authorization, data=form)
        assert response.status_code == 302, response.text
        state = httpx.URL(authorization).params["state"]  # which this provider forgets when somebody says no
        return str(httpx.URL(response.headers["location"]).copy_set_param("state", state))

    def described(self) -> dict[str, Any]:
        told: dict[str, Any] = httpx.get(f"{self.issuer}/.well-known/openid-configuration").json()
        return told


@contextmanager
def running_provider() -> Iterator[Provider]:
    with run_server_in_thread() as server:
        yield Provider(server.server_port)


def configure(settings: Settings, issuer: str, *, described_at: str = "", **options: Any) -> None:
    """As `oidc_environment` does it; `described_at`: where its description lies, if not at the issuer."""
    chosen: Mapping[str, Any] = {
        "client_id": "wiedza",
        "client_secret": "sekret",
        "name": "Urząd",
        "scopes": ("openid", "profile", "email"),
        "groups_claim": "groups",
        "create_accounts": True,
        "link_by_email": False,
    }
    settings.OIDC = OIDCSettings(issuer=issuer, **{**chosen, **options})
    settings.SOCIALACCOUNT_PROVIDERS = providers_of(settings.OIDC, None)
    if described_at:
        settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"] = described_at


def come_back(client: Client, address: str) -> HttpResponseBase:
    parts = urlsplit(address)
    return client.get(f"{parts.path}?{parts.query}")


def sign_in(client: Client, provider: Provider, subject: str, *, start: str = "/account/oidc/login/") -> Any:
    """The whole way: our link, the provider's form, and back."""
    begun = client.get(start)
    assert begun.status_code == 302, begun.content.decode()
    return come_back(client, provider.consent(begun.headers["Location"], subject))
