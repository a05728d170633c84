"""Confluence, at a server that is written from the description of its REST API."""

from collections.abc import Iterator

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.errors import AccessDenied
from ingestion.sources.connectors.protocol import ListingEnd
from ingestion.sources.types import Principal, Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchError, FetchRefused, HTTPFailure
from tests.confluence_server import ACCOUNT, TOKEN, ConfluenceServer
from tests.ingestion.sources.connectors.contract import FaultContract, items
from tests.web_site import Page, WebSite, redirect


def open_confluence(
    location: str,
    *,
    secret: str = TOKEN,
    networks: tuple[str, ...] = ("127.0.0.0/8",),
    user: str = ACCOUNT,
    spaces: str = "",
) -> Connector:
    place = RemotePlace(location=location, settings={"user": user, "spaces": spaces}, secret=secret)
    return open_connector("confluence", place, AddressGuard(ports=[80, 443], networks=networks, silence=1.0))


class Attachments:
    """An item is an attachment of a page that the account does not see."""

    def __init__(self, server: ConfluenceServer) -> None:
        self.server, self.port = server, server.port

    def put(self, path: str, content: bytes) -> None:
        self.server.attach(1, path.replace("/", "-"), content)

    def take_away(self, path: str) -> None:
        self.server.delete(path.replace("/", "-"))

    def connect(
        self, *, secret: str | None = None, port: int | None = None, networks: tuple[str, ...] = ("127.0.0.0/8",)
    ) -> Connector:
        location = f"http://127.0.0.1:{port or self.port}/wiki/"
        return open_confluence(location, secret=TOKEN if secret is None else secret, networks=networks)


@pytest.fixture
def server() -> Iterator[ConfluenceServer]:
    with ConfluenceServer() as opened:
        yield opened


class TestConfluence(FaultContract):
    step = 8000

    @pytest.fixture
    def shelf(self, server: ConfluenceServer) -> Attachments:
        return Attachments(server)


class TestReading:
    def test_pages_and_attachments_are_under_their_own_addresses(self, server: ConfluenceServer) -> None:
        server.write(12, "Urlopy & delegacje", "<p>Urlop trwa 26 dni.</p>")
        server.attach(12, "wzór wniosku.txt", b"Wniosek")
        server.write(13, "Obca", "x", space="IT")
        connector = open_confluence(server.location, spaces="KADRY")
        connector.check()
        listed = items(connector)
        assert set(listed) == {"spaces/KADRY/pages/12", "download/attachments/12/wzór wniosku.txt"}
        page = connector.fetch(listed["spaces/KADRY/pages/12"], max_bytes=9999)
        assert page.told is not None
        assert (page.name, page.told.title) == ("Urlopy & delegacje.html", "Urlopy & delegacje")
        assert "Urlop trwa 26 dni." in page.content.decode()
        assert connector.fetch(listed["download/attachments/12/wzór wniosku.txt"], max_bytes=99).content == b"Wniosek"

    def test_an_edit_is_another_version(self, server: ConfluenceServer) -> None:
        server.write(12, "Urlopy", "26 dni")
        before = items(open_confluence(server.location))
        assert items(open_confluence(server.location)) == before
        server.write(12, "Urlopy", "28 dni")
        (after,) = items(open_confluence(server.location)).values()
        assert after.version != before[after.path].version
        assert open_confluence(server.location).fetch(after, max_bytes=999).version == after.version

    def test_a_token_alone_is_a_personal_one(self, server: ConfluenceServer) -> None:
        open_confluence(server.location, user="").check()
        assert server.requests[-1].headers["Authorization"] == f"Bearer {TOKEN}"

    def test_a_space_that_the_account_does_not_see_is_no_empty_one(self, server: ConfluenceServer) -> None:
        with pytest.raises(AccessDenied):
            list(open_confluence(server.location, spaces="KADRY, TAJNE").changes(""))

    @pytest.mark.parametrize("spaces", ['A") or (type = page', "A B"])
    def test_what_is_no_key_of_a_space_never_gets_into_a_query(self, spaces: str) -> None:
        with pytest.raises(FetchRefused):
            open_confluence("https://a.atlassian.net/wiki", spaces=spaces)

    def test_a_redirect_to_where_files_are_kept_gets_no_password(self, server: ConfluenceServer) -> None:
        server.attach(12, "a.txt", b"a")
        connector = open_confluence(server.location)
        (listed,) = items(connector).values()
        with WebSite({"/a": Page("tresc", media_type="text/plain")}) as store:
            server.says = redirect(f"{store.url}/a")
            assert connector.fetch(listed, max_bytes=99).content == b"tresc"
            assert store.requests[0].headers["Authorization"] is None


class TestLongLists:
    @pytest.fixture
    def connector(self, server: ConfluenceServer) -> Connector:
        for number in range(100, 125):
            server.write(number, f"Strona {number}", "x")
        connector = open_confluence(server.location)
        connector.page_items = 10  # type: ignore[attr-defined]
        return connector

    @pytest.mark.parametrize("clouded", [False, True])
    def test_pages_follow_each_other(self, server: ConfluenceServer, connector: Connector, clouded: bool) -> None:
        server.clouded = clouded
        assert len(items(connector)) == 25

    def test_a_deletion_meanwhile_hides_nothing(self, server: ConfluenceServer, connector: Connector) -> None:
        server.between = lambda: server.delete("Strona 101")
        changes = connector.changes("")
        with pytest.raises(FetchError) as caught:
            assert not any(isinstance(one, ListingEnd) for one in changes)
        assert caught.value.retryable


def names(principals: Principals | None) -> set[str] | None:
    return None if principals is None else {one.name for one in principals}


class TestRights:
    def test_restrictions_of_a_page_and_of_those_above_it_are_its_readers(self, server: ConfluenceServer) -> None:
        server.write(1, "Jawna", "x")
        server.write(2, "Kadry", "x", groups=["Kadry"], users=["anna@example.pl"])
        server.write(3, "Pod spodem", "x", below=[1, 2])
        server.write(4, "Tylko Anna", "x", below=[1, 2], users=["anna@example.pl"])
        server.write(5, "Niczyja", "x", below=[2, 99])
        server.attach(4, "umowa.txt", b"x")
        server.attach(77, "obcy.txt", b"x")
        connector = open_confluence(server.location)
        readers = {
            path.rpartition("/")[2]: names(one)
            for path, one in connector.rights(list(items(connector).values())).items()
        }
        kadry = {"Kadry", "anna@example.pl"}
        assert readers == {
            "1": None, "2": kadry, "3": kadry, "4": {"anna@example.pl"}, "5": set(),
            "umowa.txt": {"anna@example.pl"}, "obcy.txt": set(),
        }  # fmt: skip
        assert Principal(kind="group", name="Kadry") in (
            connector.rights(list(items(connector).values()))["spaces/KADRY/pages/2"] or ()
        )


@pytest.mark.parametrize("body", ["", "[]", '{"results": [{"id": "../1"}]}', '{"results": 5}', "<html>logowanie"])
def test_what_is_no_confluence_is_an_error(server: ConfluenceServer, body: str) -> None:
    server.says = Page(body, media_type="application/json")
    with pytest.raises(FetchError):
        list(open_confluence(server.location).changes(""))


def test_a_busy_server_says_when_to_come_again(server: ConfluenceServer) -> None:
    server.says = Page(status=429, headers={"Retry-After": "9"})
    with pytest.raises(HTTPFailure) as caught:
        open_confluence(server.location).check()
    assert (caught.value.retryable, caught.value.retry_after) == (True, 9.0)
