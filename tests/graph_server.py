"""Microsoft Graph with its sign-in on this machine, written from Microsoft's documentation: the application's token,
sites, drives, delta, content, permissions and batches. It has never been compared with Microsoft's own.
"""

import json
import os
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import jwt
from cryptography import x509

from knowledgetree.fetching.connection import trusted
from tests.web_site import Page, Request, WebSite, redirect

TENANT, CLIENT, SECRET = "firma.onmicrosoft.com", "0a1b2c3d-0000-4000-8000-000000000001", "tajny sekret"
SITE = "https://firma.sharepoint.com/sites/kadry"
_SITE_ID = "firma.sharepoint.com,11111111-2222-4333-8444-555555555555,66666666-7777-4888-8999-aaaaaaaaaaaa"
_LIBRARY = "Shared Documents"


class GraphServer(WebSite):
    """A site with libraries by the last part of their addresses. Items keep their identifiers.

    `says` may answer a request to Graph in the place of it; `page_items` are those of a page of changes; the token
    that is out counts until `expire_token`; links to changes count until `forget_changes`. `certificate` is that of the
    application. `kept_at` is where content is led on to.
    """

    def __init__(self, tls: Path) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls)
        super().__init__(ssl_context=context)
        self.items: dict[str, dict[str, Any]] = {}
        self.contents: dict[str, bytes] = {}
        self.permissions: dict[str, list[dict[str, Any]]] = {}
        self.libraries: dict[str, str] = {}
        self.prefers: list[str] = []
        self.page_items = 200
        self.says: Callable[[str], Page | None] = lambda path: None
        self.certificate = ""
        self.kept_at = self.url
        self._tokens, self._numbers, self._sequence = count(1), count(1), count(1)
        self._token, self._here, self._oldest = "", "", 0
        self.add_library(_LIBRARY, "Documents")

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def asked(self, beginning: str) -> int:
        """How many requests to Graph there were whose path begins so."""
        return sum(path.startswith(f"/v1.0/{beginning}") for path in self.paths)

    def add_library(self, segment: str, name: str) -> None:
        drive = f"b!{len(self.libraries)}"
        self.libraries[segment] = name
        self._keep({"id": self._root(segment), "name": "root", "root": {}, "folder": {}, "drive": drive, "parent": ""})

    def put(self, path: str, content: bytes, library: str = _LIBRARY, **facets: Any) -> str:
        """A file, or other content of it; its identifier."""
        folder, _slash, name = path.rpartition("/")
        parent = self.folder(folder, library)
        found = self._child(parent, name)
        key = found["id"] if found else f"01FILE{next(self._numbers)}"
        version = next(self._sequence)
        self.contents[key] = content
        self._keep(
            {
                "id": key, "name": name, "file": {"mimeType": "text/plain"}, "size": len(content), "parent": parent,
                "cTag": f'"c:{{{key}}},{version}"', "drive": self._drive(library), **facets,
            }
        )  # fmt: skip
        return str(key)

    def folder(self, path: str, library: str = _LIBRARY, **facets: Any) -> str:
        """The identifier of a folder, which is made where there is none."""
        key = self._root(library)
        for name in filter(None, path.split("/")):
            found = self._child(key, name)
            if not found:
                found = {"id": f"01DIR{next(self._numbers)}", "name": name, "parent": key, **(facets or {"folder": {}})}
                self._keep({**found, "drive": self._drive(library)})
            key = found["id"]
        return key

    def take_away(self, path: str, library: str = _LIBRARY) -> None:
        """A file, or a folder with all that is in it."""
        self._delete(self._found(path, library)["id"])

    def move(self, path: str, to: str, library: str = _LIBRARY) -> None:
        """A file or a folder; of a folder its items are not told to have changed."""
        item = self._found(path, library)
        folder, _slash, name = to.rpartition("/")
        self._keep({**item, "parent": self.folder(folder, library), "name": name})

    def share(self, path: str, *permissions: dict[str, Any], library: str = _LIBRARY) -> None:
        item = self._found(path, library)
        self.permissions[item["id"]] = list(permissions)
        self._keep({**item, "@microsoft.graph.sharedChanged": "True"})

    def expire_token(self) -> None:
        self._token = ""

    def forget_changes(self) -> None:
        self._oldest = next(self._sequence)

    def answer(self, request: Request) -> Page:
        self.requests.append(request)
        self._here = f"https://{request.headers['Host']}"  # by which it is known to who asks
        page = self._page(request)
        page.headers = {**page.headers, "Connection": "close"}
        return page

    def _keep(self, item: dict[str, Any]) -> None:
        self.items.pop(item["id"], None)  # the last that changed comes last
        self.items[item["id"]] = {**item, "changed": next(self._sequence)}

    def _delete(self, key: str) -> None:
        for child in [one["id"] for one in self.items.values() if one.get("parent") == key]:
            self._delete(child)
        item = self.items[key]
        self._keep({"id": key, "deleted": {"state": "deleted"}, "drive": item["drive"], "parent": None})
        self.contents.pop(key, None)

    def _root(self, library: str) -> str:
        return f"01ROOT{list(self.libraries).index(library)}"

    def _drive(self, library: str) -> str:
        return f"b!{list(self.libraries).index(library)}"

    def _child(self, parent: str, name: str) -> dict[str, Any] | None:
        found = (one for one in self.items.values() if one.get("parent") == parent and one.get("name") == name)
        return next(found, None)

    def _found(self, path: str, library: str) -> dict[str, Any]:
        key = self._root(library)
        for name in path.split("/"):
            found = self._child(key, name)
            assert found, path
            key = found["id"]
        return self.items[key]

    def _page(self, request: Request) -> Page:
        parts = urlsplit(request.path)
        path = unquote(parts.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if path == f"/{TENANT}/v2.0/.well-known/openid-configuration":
            return _told({f"{name}_endpoint": self._token_endpoint for name in ("token", "authorization")})
        if path == f"/{TENANT}/oauth2/v2.0/token":
            return self._signed_in({name: values[0] for name, values in parse_qs(request.body.decode()).items()})
        if path.startswith("/download/"):  # an address that is good by itself, and wants no token
            return Page(self.contents[path.removeprefix("/download/")], media_type="application/octet-stream")
        if not path.startswith("/v1.0/"):
            return _failed(404 if path.startswith("/v1") else 400)
        if not self._token or request.headers["Authorization"] != f"Bearer {self._token}":
            return _failed(401)
        self.prefers.append(request.headers["Prefer"] or "")
        below = path.removeprefix("/v1.0/")
        if below == "$batch":
            return self.says(below) or self._batched(json.loads(request.body))
        return self._graph(below, query)

    @property
    def _token_endpoint(self) -> str:
        return f"{self._here}/{TENANT}/oauth2/v2.0/token"

    def _signed_in(self, form: dict[str, str]) -> Page:
        right = form["client_id"] == CLIENT and form["scope"] == f"{self._here}/.default"
        if "client_assertion" in form and self.certificate:
            key: Any = x509.load_pem_x509_certificate(self.certificate.encode()).public_key()
            claims = jwt.decode(form["client_assertion"], key, algorithms=["PS256"], audience=self._token_endpoint)
            right = right and claims["iss"] == CLIENT
        else:
            right = right and form.get("client_secret") == SECRET
        if not right:
            words = "AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1"
            return _told({"error": "invalid_client", "error_description": words}, status=401)
        self._token = f"token {next(self._tokens)}"
        return _told({"token_type": "Bearer", "expires_in": 3599, "access_token": self._token})

    def _batched(self, body: dict[str, Any]) -> Page:
        assert len(body["requests"]) <= 20
        replies = []
        for one in reversed(body["requests"]):  # in any order
            page = self._graph(unquote(one["url"]).lstrip("/"), {})
            told = json.loads(page.body) if isinstance(page.body, bytes) and page.body else None
            replies.append({"id": one["id"], "status": page.status, "headers": page.headers, "body": told})
        return _told({"responses": replies})

    def _graph(self, path: str, query: dict[str, str]) -> Page:
        if said := self.says(path):
            return said
        parts = path.split("/")
        if path == "sites/firma.sharepoint.com:/sites/kadry":
            return _told({"id": _SITE_ID, "webUrl": SITE, "displayName": "Kadry"})
        if path == f"sites/{_SITE_ID}/drives":
            return _told({"value": [self._as_drive(segment) for segment in self.libraries]})
        if path.endswith("/root/delta"):
            return self._delta(parts[1], query)
        item = self.items.get(parts[3]) if len(parts) == 5 and parts[2] == "items" else None
        if item is None or "deleted" in item or item["drive"] != parts[1]:
            return _failed(404)
        if parts[4] == "content":
            return redirect(f"{self.kept_at}/download/{item['id']}?tempauth=x")
        return _told({"value": self._effective(item)})

    def _effective(self, item: dict[str, Any]) -> list[dict[str, Any]]:
        """Its own permissions, else those of the nearest folder above it that has some."""
        while item["id"] not in self.permissions and item["parent"]:
            item = self.items[item["parent"]]
        return self.permissions.get(item["id"], [])

    def _as_drive(self, segment: str) -> dict[str, Any]:
        address = f"{SITE}/{segment.replace(' ', '%20')}"
        return {
            "id": self._drive(segment),
            "name": self.libraries[segment],
            "webUrl": address,
            "driveType": "documentLibrary",
        }

    def _delta(self, drive: str, query: dict[str, str]) -> Page:
        since, skip = int(query.get("token", "0")), int(query.get("skip", "0"))
        if since and since < self._oldest:
            return _told({"error": {"code": "resyncChangesApplyDifferences"}}, status=410)
        found = [one for one in self.items.values() if one["drive"] == drive and one["changed"] > since]
        found = [one for one in found if since or "deleted" not in one]
        shown = [self._as_item(one) for one in found[skip : skip + self.page_items]]
        link = f"{self._here}/v1.0/drives/{drive}/root/delta?token="
        if skip + self.page_items < len(found):
            return _told({"value": shown, "@odata.nextLink": f"{link}{since}&skip={skip + self.page_items}"})
        return _told({"value": shown, "@odata.deltaLink": f"{link}{max(since, next(self._sequence))}"})

    def _as_item(self, item: dict[str, Any]) -> dict[str, Any]:
        hidden = {"changed", "drive", "parent"}
        parent = item["parent"] if item["parent"] is not None else self._root(_LIBRARY)
        told = {name: value for name, value in item.items() if name not in hidden}
        return {**told, "eTag": f'"{{{item["id"]}}},{item["changed"]}"', "parentReference": {"id": parent}}


def _told(said: Any, *, status: int = 200) -> Page:
    return Page(json.dumps(said), status=status, media_type="application/json")


def _failed(status: int) -> Page:
    return _told({"error": {"code": "x", "message": "x"}}, status=status)


def make_certificate(folder: Path) -> Path:
    """A key with a certificate for 127.0.0.1, signed by itself, in one file."""
    path, key = folder / "graph.pem", folder / "graph.key"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=graph -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(["openssl", *words.split(), "-keyout", key, "-out", path], check=True, capture_output=True)
    path.write_text(key.read_text() + path.read_text())
    return path


@contextmanager
def trusting(certificate: Path) -> Iterator[None]:
    """As an installation whose SSL_CERT_FILE names this certificate."""
    before = os.environ.get("SSL_CERT_FILE")
    os.environ["SSL_CERT_FILE"] = str(certificate)
    trusted.cache_clear()
    try:
        yield
    finally:
        os.environ.pop("SSL_CERT_FILE")
        if before is not None:
            os.environ["SSL_CERT_FILE"] = before
        trusted.cache_clear()
