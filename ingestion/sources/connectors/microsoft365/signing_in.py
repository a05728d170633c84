"""Tokens of an application (client credentials) from Microsoft's identity platform, by MSAL."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import msal
from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import AccessDenied, http_error
from ingestion.sources.connectors.pem import pem_blocks
from ingestion.sources.connectors.protocol import RemotePlace
from knowledgetree.fetching.errors import BadReply, FetchRefused

_USUAL: Final = "https://login.microsoftonline.com"
_GRAPHS: Final[Mapping[str, str]] = {
    "login.microsoftonline.com": "https://graph.microsoft.com",
    "login.microsoftonline.us": "https://graph.microsoft.us",
    "login.partner.microsoftonline.cn": "https://microsoftgraph.chinacloudapi.cn",
}
_TENANT = re.compile(r"[A-Za-z0-9.-]{1,253}")
_NOT_MSALS: Final = (ValueError, KeyError, TypeError, AttributeError)  # what it raises of replies that are none


def graph_of(place: RemotePlace) -> str:
    """Where Graph is in the cloud of this place; a server that is no cloud's of Microsoft has both."""
    login = place.settings.get("login", "") or _USUAL
    return _GRAPHS.get(urlsplit(login).hostname or "", login.rstrip("/"))


class Application:
    """An application as it is registered in a tenant. `http` connects."""

    def __init__(self, place: RemotePlace, http: httpx.Client) -> None:
        self._place, self._http = place, _MSALTransport(http)
        self._scopes = [f"{graph_of(place)}/.default"]
        self._msal: Any = None

    def token(self, *, anew: bool = False) -> str:
        """The one that is still valid, or another one. Raises AccessDenied."""
        if self._msal is None:
            self._msal = self._introduced()
        if anew:
            self._msal.remove_tokens_for_client()
        try:
            told = self._msal.acquire_token_for_client(scopes=self._scopes)
        except _NOT_MSALS as error:
            raise BadReply(_("The server does not answer as Microsoft's sign-in does.")) from error
        if "access_token" not in told:
            words = str(told.get("error_description") or told.get("error") or "").splitlines() or [""]
            raise AccessDenied(_("Microsoft refuses the application: %(words)s") % {"words": words[0][:300]})
        return str(told["access_token"])

    def _introduced(self) -> Any:
        login = (self._place.settings.get("login", "") or _USUAL).rstrip("/")
        tenant = self._place.settings.get("tenant", "")
        if not _TENANT.fullmatch(tenant) or not login.startswith("https://"):
            raise FetchRefused(_("%(tenant)s is no tenant.") % {"tenant": repr(tenant)})
        try:
            return msal.ConfidentialClientApplication(
                self._place.settings.get("client", ""),
                authority=f"{login}/{tenant}",
                client_credential=_credential(self._place.secret),
                instance_discovery=False,
                http_client=self._http,
            )
        except _NOT_MSALS as error:
            raise BadReply(_("The server does not answer as Microsoft's sign-in does.")) from error


def _credential(secret: str) -> str | dict[str, str]:
    """A key with its certificate, else a client secret. Raises AccessDenied for a key without one."""
    blocks = pem_blocks(secret)
    key = next((block for label, block in blocks if label.endswith("PRIVATE KEY")), None)
    if key is None:
        return secret.strip()
    certificate = "".join(block for label, block in blocks if label == "CERTIFICATE")
    if not certificate:
        raise AccessDenied(_("The certificate of the key is missing: enter both, one after the other."))
    return {"private_key": key, "public_certificate": certificate}


class _MSALTransport:
    """What MSAL connects by. Raises what passes, and what no other attempt would change, as ours."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def get(self, url: str, **sent: Any) -> httpx.Response:
        reply = self._asked("GET", url, sent)
        if reply.is_client_error:
            raise AccessDenied(_("Microsoft knows no such tenant."))
        return reply

    def post(self, url: str, **sent: Any) -> httpx.Response:
        return self._asked("POST", url, sent)

    def close(self) -> None:
        """The connections are those of the connector."""

    def _asked(self, method: str, url: str, sent: Mapping[str, Any]) -> httpx.Response:
        form = {name: _text(value) for name, value in (sent.get("data") or {}).items()}
        reply = self._http.request(method, url, params=sent.get("params"), headers=sent.get("headers"), data=form)
        if reply.status_code == httpx.codes.TOO_MANY_REQUESTS or reply.is_server_error or reply.is_redirect:
            raise http_error(reply.status_code, retry_after=reply.headers.get("retry-after", ""))
        return reply


def _text(value: Any) -> Any:
    """MSAL gives the signature as bytes, which httpx would write as Python does."""
    return value.decode() if isinstance(value, bytes) else value
