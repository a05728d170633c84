"""WebDAV, and Nextcloud's shares."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.errors import UnknownRights
from ingestion.sources.connectors.protocol import ClosedPart, ListingEnd
from ingestion.sources.types import Principal
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchError, HTTPFailure
from tests.ingestion.sources.connectors.contract import ConnectorContract, MovedFolderContract, items
from tests.web_site import Page, WebSite, redirect
from tests.webdav_server import ACCOUNT, PASSWORD, Reply, WebDAVServer


def open_webdav(location: str, *, secret: str = PASSWORD, networks: tuple[str, ...] = ("127.0.0.0/8",)) -> Connector:
    place = RemotePlace(location=location, settings={"user": ACCOUNT}, secret=secret)
    return open_connector("webdav", place, AddressGuard(ports=[80, 443], networks=networks, silence=0.5))


class WebDAVShelf:
    def __init__(self, server: WebDAVServer) -> None:
        self.server, self.port = server, server.port

    def put(self, path: str, content: bytes) -> None:
        file = self.server.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def take_away(self, path: str) -> None:
        (self.server.folder / path).unlink()

    def move(self, path: str, to: str) -> None:
        target = self.server.folder / to
        target.parent.mkdir(parents=True, exist_ok=True)
        (self.server.folder / path).rename(target)

    def connect(
        self, *, secret: str | None = None, port: int | None = None, networks: tuple[str, ...] = ("127.0.0.0/8",)
    ) -> Connector:
        location = self.server.location.replace(f":{self.port}", f":{port or self.port}")
        return open_webdav(location, secret=PASSWORD if secret is None else secret, networks=networks)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WebDAVServer]:
    folder = tmp_path / "pliki"
    folder.mkdir()
    with WebDAVServer(folder) as opened:
        yield opened


@pytest.fixture
def shelf(server: WebDAVServer) -> WebDAVShelf:
    return WebDAVShelf(server)


class TestWebDAV(ConnectorContract, MovedFolderContract):
    rereads = True

    @pytest.fixture
    def shelf(self, server: WebDAVServer) -> WebDAVShelf:
        return WebDAVShelf(server)

    @pytest.fixture
    def moving(self, shelf: WebDAVShelf) -> WebDAVShelf:
        return shelf


class TestNextcloud(MovedFolderContract):
    @pytest.fixture
    def moving(self, tmp_path: Path) -> Iterator[WebDAVShelf]:
        folder = tmp_path / "chmura"
        folder.mkdir()
        with WebDAVServer(folder, numbers=True) as opened:
            yield WebDAVShelf(opened)

    def test_what_was_changed_on_the_way_is_read_and_stays_the_same(self, moving: WebDAVShelf) -> None:
        moving.put("kadry/a.txt", b"pierwsza")
        (before,) = items(moving.connect()).values()
        moving.move("kadry", "archiwum")
        moving.put("archiwum/a.txt", b"druga")
        (after,) = items(moving.connect()).values()
        assert (after.path, after.identity) == ("archiwum/a.txt", before.identity)
        assert after.version != before.version


def status(code: int, **headers: str) -> Reply:
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return f"{code} X", named, b""


@pytest.mark.parametrize(("code", "wait"), [(429, 7.0), (503, 7.0), (500, None)])
def test_a_busy_server_says_when_to_come_again(shelf: WebDAVShelf, code: int, wait: float | None) -> None:
    headers = {"Retry_After": "7"} if wait else {}
    shelf.server.answer = lambda method, path: status(code, **headers)
    with pytest.raises(HTTPFailure) as caught:
        list(shelf.connect().changes(""))
    assert (caught.value.retryable, caught.value.retry_after) == (True, wait)


def test_a_folder_that_is_closed_closes_nothing_else(shelf: WebDAVShelf) -> None:
    shelf.put("otwarty/a.txt", b"a")
    shelf.put("zamknięty/b.txt", b"b")
    shelf.server.answer = lambda method, path: status(403) if "zamkni" in path else None
    listed = list(shelf.connect().changes(""))
    assert [one.path for one in listed if isinstance(one, ClosedPart)] == ["zamknięty"]
    assert listed[-1] == ListingEnd(complete=True)


def test_a_place_that_is_not_there_is_no_empty_one(shelf: WebDAVShelf) -> None:
    connector = open_webdav(f"{shelf.server.location}nie-ma/")
    with pytest.raises(FetchError):
        list(connector.changes(""))
    with pytest.raises(FetchError):
        connector.check()


@pytest.mark.parametrize(
    "body", [b"", b"<html>Dzie\xc5\x84 dobry</html>", b"<multistatus", b'{"a": 1}', b"\xff\xfe\x00"]
)
def test_what_is_no_webdav_is_told_so(shelf: WebDAVShelf, body: bytes) -> None:
    shelf.server.answer = lambda method, path: ("207 Multi-Status", [("Content-Type", "text/xml")], body)
    with pytest.raises(BadReply):
        list(shelf.connect().changes(""))


def test_a_packed_reply_is_not_opened(shelf: WebDAVShelf) -> None:
    shelf.server.answer = lambda method, path: ("207 Multi-Status", [("Content-Encoding", "gzip")], b"\x1f\x8b")
    with pytest.raises(BadReply):
        list(shelf.connect().changes(""))


def test_a_redirect_elsewhere_gets_no_password(shelf: WebDAVShelf) -> None:
    with WebSite({"/": Page(status=207)}) as other:
        there = redirect(f"{other.url}/")
        shelf.server.answer = lambda method, path: ("302 X", [("Location", there.headers["Location"])], b"")
        with pytest.raises(FetchError):
            list(shelf.connect().changes(""))
        assert all("Authorization" not in request.headers for request in other.requests)


class TestShares:
    @pytest.fixture
    def shares(self, shelf: WebDAVShelf) -> list[dict[str, Any]]:
        for path in ("kadry/płace/lista.txt", "kadry/urlopy.txt", "jawne.txt"):
            shelf.put(path, b"x")
        shelf.server.shares = [
            {"share_type": 1, "share_with": "Kadry", "path": "/kadry", "permissions": 1},
            {"share_type": 0, "share_with": "anna", "path": "/kadry/płace", "permissions": 17},
            {"share_type": 3, "share_with": None, "path": "/jawne.txt", "permissions": 1},
            {"share_type": 0, "share_with": "ewa", "path": "/jawne.txt", "permissions": 4},
        ]
        return shelf.server.shares

    @pytest.mark.usefixtures("shares")
    def test_a_folder_is_shared_with_all_below_it(self, shelf: WebDAVShelf) -> None:
        connector = shelf.connect()
        readers = connector.rights(list(items(connector).values()))
        owner = Principal(kind="user", name=ACCOUNT)
        kadry, anna = Principal(kind="group", name="Kadry"), Principal(kind="user", name="anna")
        assert readers == {
            "kadry/płace/lista.txt": {owner, kadry, anna},
            "kadry/urlopy.txt": {owner, kadry},
            "jawne.txt": {owner},  # a public link names nobody here; ewa may only upload
        }

    @pytest.mark.usefixtures("shares")
    def test_a_source_that_is_a_folder_below_knows_what_is_above_it(self, shelf: WebDAVShelf) -> None:
        connector = open_webdav(f"{shelf.server.location}kadry/p%C5%82ace/")
        readers = connector.rights(list(items(connector).values()))
        assert {one.name for one in readers["lista.txt"] or ()} == {ACCOUNT, "Kadry", "anna"}

    def test_a_server_that_tells_no_rights_lets_nobody_read(self, tmp_path: Path) -> None:
        connector = open_webdav("http://127.0.0.1:1/dav/")
        with pytest.raises(UnknownRights):
            connector.rights([])

    @pytest.mark.parametrize("body", [b"", b"[]", b'{"ocs": {"data": [{"share_type": "x"}]}}', b'{"ocs": null}'])
    def test_a_reply_that_is_no_list_of_shares_is_an_error(self, shelf: WebDAVShelf, body: bytes) -> None:
        shelf.server.answer = lambda method, path: ("200 OK", [], body) if "ocs" in path else None
        with pytest.raises(BadReply):
            shelf.connect().rights([])


def test_an_address_with_a_password_in_it_is_refused() -> None:
    with pytest.raises(FetchError):
        open_webdav(f"https://ktos:haslo@{urlsplit('https://a.pl').netloc}/")
