"""SharePoint and OneDrive, at a server that is written from Microsoft's documentation."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.errors import AccessDenied, ItemVanished, UnknownRights
from ingestion.sources.connectors.microsoft365.rights import Permission, readers_of
from ingestion.sources.connectors.protocol import Change, ListedItem, ListingEnd, RemovedItem
from ingestion.sources.types import Principal
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchError, FetchRefused, HTTPFailure
from tests.graph_server import CLIENT, SECRET, SITE, TENANT, GraphServer, make_certificate, trusting
from tests.ingestion.sources.connectors.contract import ConnectorContract, MovedFolderContract, items
from tests.web_site import Page, WebSite

pytest.importorskip("msal", reason="MSAL is not installed")


def open_graph(
    server: str,
    *,
    secret: str = SECRET,
    networks: tuple[str, ...] = ("127.0.0.0/8",),
    mirrors: bool = False,
    location: str = SITE,
    **settings: str,
) -> Connector:
    told = {"tenant": TENANT, "client": CLIENT, "login": server, **settings}
    place = RemotePlace(location=location, settings=told, secret=secret, mirrors=mirrors)
    guard = AddressGuard(ports=[443], networks=networks, connect_seconds=1.0, silence=1.0)
    return open_connector("microsoft365", place, guard)


class Library:
    """The files of one library."""

    def __init__(self, server: GraphServer) -> None:
        self.server, self.port = server, server.port
        self.put, self.take_away, self.move = server.put, server.take_away, server.move

    def connect(
        self, *, secret: str | None = None, port: int | None = None, networks: tuple[str, ...] = ("127.0.0.0/8",)
    ) -> Connector:
        server = f"https://127.0.0.1:{port or self.port}"
        location = f"{SITE}/Shared%20Documents/"
        return open_graph(server, secret=SECRET if secret is None else secret, networks=networks, location=location)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = make_certificate(tmp_path_factory.mktemp("tls"))
    with trusting(path):
        yield path


@pytest.fixture
def server(certificate: Path) -> Iterator[GraphServer]:
    with GraphServer(certificate) as opened:
        yield opened


class TestMicrosoft365(ConnectorContract, MovedFolderContract):
    step = 8000

    @pytest.fixture
    def moving(self, shelf: Library) -> Library:
        return shelf

    @pytest.fixture
    def shelf(self, server: GraphServer) -> Library:
        return Library(server)


def told(connector: Connector, cursor: str) -> tuple[list[Change], ListingEnd]:
    *changes, end = connector.changes(cursor)
    assert isinstance(end, ListingEnd)
    return changes, end


class TestReading:
    def test_files_of_all_libraries_are_under_their_own_addresses(self, server: GraphServer) -> None:
        server.add_library("Umowy", "Umowy i zlecenia")
        server.put("Regulaminy/urlop.txt", b"Urlop trwa 26 dni.")
        server.put("umowa.txt", b"Umowa", "Umowy")
        connector = open_graph(server.url)
        connector.check()
        listed = items(connector)
        assert set(listed) == {"Shared Documents/Regulaminy/urlop.txt", "Umowy/umowa.txt"}
        assert connector.fetch(listed["Umowy/umowa.txt"], max_bytes=9).content == b"Umowa"

    @pytest.mark.parametrize("named", ["Umowy i zlecenia", "Umowy"])
    def test_libraries_are_chosen_by_their_names(self, server: GraphServer, named: str) -> None:
        server.add_library("Umowy", "Umowy i zlecenia")
        server.put("a.txt", b"a")
        server.put("umowa.txt", b"Umowa", "Umowy")
        assert set(items(open_graph(server.url, libraries=f" {named} ,"))) == {"Umowy/umowa.txt"}
        with pytest.raises(AccessDenied):
            open_graph(server.url, libraries="Tajne").check()

    def test_a_site_that_the_application_was_not_granted_is_no_empty_one(self, server: GraphServer) -> None:
        with pytest.raises(AccessDenied):
            open_graph(server.url, location="https://firma.sharepoint.com/sites/zarzad").check()

    def test_what_others_share_and_what_is_no_file_is_left_out(self, server: GraphServer) -> None:
        server.put("a.txt", b"a")
        server.put("cudzy.txt", b"x", remoteItem={"id": "1"})
        server.put("wirus.txt", b"x", malware={})
        server.folder("Notes", package={"type": "oneNote"})
        server.put("Notes/sekcja.one", b"x")
        assert set(items(open_graph(server.url))) == {"Shared Documents/a.txt"}

    def test_pages_follow_each_other_and_what_changed_meanwhile_is_listed_once(self, server: GraphServer) -> None:
        for number in range(25):
            server.put(f"{number}.txt", b"x")
        server.page_items, connector = 10, open_graph(server.url)
        server.says = lambda path: server.put("0.txt", b"inna") and None if path.endswith("delta") else None  # type: ignore[func-returns-value]
        assert len(items(connector)) == 25
        assert server.asked("drives/b!0/root/delta") == 3

    def test_content_is_read_where_graph_leads_and_the_token_stays_here(self, server: GraphServer) -> None:
        key = server.put("a.txt", b"a")
        connector = open_graph(server.url)
        (listed,) = items(connector).values()
        with WebSite({f"/download/{key}": Page("tresc", media_type="text/plain")}) as store:
            server.kept_at = store.url
            assert connector.fetch(listed, max_bytes=99).content == b"tresc"
            assert store.requests[0].headers["Authorization"] is None

    def test_content_that_is_kept_in_a_forbidden_network_is_not_read(self, server: GraphServer) -> None:
        server.put("a.txt", b"a")
        connector = open_graph(server.url)
        (listed,) = items(connector).values()
        server.kept_at = "http://10.0.0.1"
        with pytest.raises(FetchRefused):
            connector.fetch(listed, max_bytes=99)


class TestSigningIn:
    def test_a_certificate_proves_the_application(self, server: GraphServer, certificate: Path) -> None:
        server.certificate = certificate.read_text().partition("-----END PRIVATE KEY-----")[2]
        open_graph(server.url, secret=certificate.read_text()).check()
        open_graph(server.url, secret=certificate.read_text().replace("\n", " ")).check()  # pasted into one line
        key = certificate.read_text().partition("-----BEGIN CERTIFICATE")[0]
        with pytest.raises(AccessDenied, match=r"PEM|[Cc]ert"):
            open_graph(server.url, secret=key).check()

    def test_a_token_that_expires_midway_is_asked_for_anew(self, server: GraphServer) -> None:
        server.put("a.txt", b"a")
        connector = open_graph(server.url)
        (listed,) = items(connector).values()
        server.expire_token()
        assert connector.fetch(listed, max_bytes=9).content == b"a"

    def test_what_microsoft_says_of_a_wrong_secret_is_told(self, server: GraphServer) -> None:
        with pytest.raises(AccessDenied, match="AADSTS7000215: Invalid client secret provided") as caught:
            open_graph(server.url, secret="inny").check()
        assert "Trace" not in str(caught.value)

    @pytest.mark.parametrize("tenant", ["../x", "", "nie ma", "obca.pl"])
    def test_a_tenant_that_is_none_is_told(self, server: GraphServer, tenant: str) -> None:
        with pytest.raises(FetchError) as caught:
            open_graph(server.url, tenant=tenant).check()
        assert not caught.value.retryable


class TestAgain:
    def test_only_what_changed_is_told(self, server: GraphServer) -> None:
        for number in range(4):
            server.put(f"Akta/{number}.txt", b"x")
        connector = open_graph(server.url)
        _all, end = told(connector, "")
        assert end.complete
        assert told(connector, end.cursor)[0] == []
        gone = server.items[server._found("Akta/1.txt", "Shared Documents")["id"]]["id"]
        server.take_away("Akta/1.txt")
        server.put("Akta/2.txt", b"inna")
        server.move("Akta/3.txt", "Nowe/trzy.txt")
        changes, after = told(open_graph(server.url), end.cursor)
        assert not after.complete
        assert {one.path for one in changes if isinstance(one, ListedItem)} == {
            "Shared Documents/Akta/2.txt", "Shared Documents/Nowe/trzy.txt",
        }  # fmt: skip
        assert [one for one in changes if isinstance(one, RemovedItem)] == [RemovedItem(identity=f"b!0/{gone}")]
        assert told(connector, after.cursor)[0] == []

    def test_a_folder_that_is_deleted_goes_with_what_is_in_it(self, server: GraphServer) -> None:
        server.put("Akta/a.txt", b"x")
        server.put("Akta/zostaje.txt", b"x")
        connector = open_graph(server.url)
        end = told(connector, "")[1]
        server.move("Akta/zostaje.txt", "zostaje.txt")
        server.take_away("Akta")
        changes, _end = told(connector, end.cursor)
        assert RemovedItem(path="Shared Documents/Akta") in changes
        assert "Shared Documents/zostaje.txt" in {one.path for one in changes if isinstance(one, ListedItem)}

    @pytest.mark.parametrize(
        "change",
        [
            lambda server: server.move("Akta", "Archiwum"),  # told without its files
            lambda server: server.forget_changes(),  # 410
            lambda server: server.add_library("Umowy", "Umowy"),
            lambda server: server.share("Akta"),
        ],
    )
    def test_what_changes_do_not_tell_is_listed_anew(self, server: GraphServer, change: Any) -> None:
        server.put("Akta/a.txt", b"x")
        server.put("b.txt", b"x")
        end = told(open_graph(server.url), "")[1]
        change(server)
        changes, after = told(open_graph(server.url), end.cursor)
        assert after.complete
        assert len([one for one in changes if isinstance(one, ListedItem)]) == 2

    @pytest.mark.parametrize("cursor", ["nie kursor", "[]", '{"drives": 5}', '{"whole": 1, "drives": {"b!0": ["x"]}}'])
    def test_a_cursor_that_is_none_lists_everything(self, server: GraphServer, cursor: str) -> None:
        server.put("a.txt", b"x")
        assert told(open_graph(server.url), cursor)[1].complete

    def test_everything_is_listed_once_a_day(self, server: GraphServer) -> None:
        cursor = json.loads(told(open_graph(server.url), "")[1].cursor)
        assert not told(open_graph(server.url), json.dumps(cursor))[1].complete
        assert told(open_graph(server.url), json.dumps({**cursor, "whole": cursor["whole"] - 86_401}))[1].complete

    def test_a_link_to_another_server_gets_no_token(self, server: GraphServer) -> None:
        cursor = json.loads(told(open_graph(server.url), "")[1].cursor)
        cursor["drives"]["b!0"][0] = "https://127.0.0.2/v1.0/drives/b!0/root/delta?token=1"
        with pytest.raises(BadReply):
            told(open_graph(server.url), json.dumps(cursor))


def person(email: str, **more: Any) -> dict[str, Any]:
    return {"roles": ["read"], "grantedToV2": {"user": {"id": "u1", "email": email, "displayName": "X"}}, **more}


GROUP = "99999999-8888-4777-8666-555555555555"
ENTRA = {"group": {"id": GROUP, "displayName": "Kadry"}, "siteUser": {"loginName": f"c:0t.c|tenant|{GROUP}"}}
SITE_GROUP = {"siteGroup": {"id": "5", "displayName": "Kadry - odwiedzający", "loginName": "Kadry - odwiedzający"}}
EVERYBODY = {"siteUser": {"loginName": "c:0-.f|rolemanager|spo-grid-all-users/x", "displayName": "Wszyscy"}}
READERS = {
    "an e-mail address": ([person("anna@firma.pl")], {("user", "anna@firma.pl")}),
    "a login name": (
        [{"roles": ["write"], "grantedToV2": {"siteUser": {"loginName": "i:0#.f|membership|jan@firma.pl"}}}],
        {("user", "jan@firma.pl")},
    ),
    "a group by its identifier": ([{"roles": ["read"], "grantedToV2": ENTRA}], {("group", GROUP)}),
    "a group by its address": (
        [{"roles": ["owner"], "grantedToV2": {"group": {"id": GROUP, "email": "kadry@firma.pl"}}}],
        {("group", "kadry@firma.pl")},
    ),
    "a group of the site": (
        [{"roles": ["read"], "grantedToV2": SITE_GROUP}], {("group", "/sites/kadry/Kadry - odwiedzający")},
    ),
    "everybody": ([person("anna@firma.pl"), {"roles": ["read"], "grantedToV2": EVERYBODY}], None),
    "those whom a link names": (
        [{"roles": ["read"], "link": {"scope": "users"}, "grantedToIdentitiesV2": [{"user": {"email": "a@firma.pl"}}]}],
        {("user", "a@firma.pl")},
    ),
    "nobody by a link for whoever has it": (
        [{"roles": ["read"], "link": {"scope": one}} for one in ("anonymous", "organization", "existingAccess")], set(),
    ),
    "nobody whose time is over": ([person("a@firma.pl", expirationDateTime="2020-01-01T00:00:00Z")], set()),
    "who has no end": (
        [person("a@firma.pl", expirationDateTime="0001-01-01T00:00:00Z")], {("user", "a@firma.pl")},
    ),
    "nobody without a role that reads": ([person("a@firma.pl", roles=["sp.limited"])], set()),
    "no application": ([{"roles": ["write"], "grantedToV2": {"application": {"id": "x"}}}], set()),
}  # fmt: skip


class TestRights:
    @pytest.mark.parametrize("case", READERS)
    def test_the_readers_are(self, case: str) -> None:
        permissions, readers = READERS[case]
        found = readers_of(TypeAdapter(list[Permission]).validate_python(permissions), "sites/kadry")
        assert (None if found is None else {(one.kind, one.name) for one in found}) == readers

    def test_those_of_a_folder_are_asked_twenty_at_once_and_again_where_it_is_busy(self, server: GraphServer) -> None:
        for number in range(25):
            server.put(f"Akta/{number}.txt", b"x")
        server.share("Akta", person("anna@firma.pl"))
        connector, busy = open_graph(server.url, mirrors=True), iter(range(3))

        def answer(path: str) -> Page | None:
            again = path.endswith("permissions") and next(busy, None) is not None
            return Page(status=429, headers={"Retry-After": "0"}) if again else None

        listed = list(items(connector).values())
        server.says = answer
        anna = frozenset({Principal(kind="user", name="anna@firma.pl")})
        assert connector.rights(listed) == {item.path: anna for item in listed}
        assert server.asked("$batch") == 3

    def test_a_file_that_is_gone_meanwhile_nobody_reads(self, server: GraphServer) -> None:
        server.put("a.txt", b"a")
        connector = open_graph(server.url, mirrors=True)
        listed = list(items(connector).values())
        server.take_away("a.txt")
        assert connector.rights(listed) == {listed[0].path: frozenset()}

    def test_an_application_that_may_not_see_them_is_told_so(self, server: GraphServer) -> None:
        server.put("a.txt", b"a")
        connector = open_graph(server.url, mirrors=True)
        listed = list(items(connector).values())
        server.says = lambda path: Page(status=403) if path.endswith("permissions") else None
        with pytest.raises(UnknownRights):
            connector.rights(listed)

    def test_every_file_is_asked_about_each_time_unless_the_source_says_otherwise(self, server: GraphServer) -> None:
        server.put("a.txt", b"a")
        end = told(open_graph(server.url, mirrors=True), "")[1]
        assert told(open_graph(server.url, mirrors=True), end.cursor)[1].complete
        changes, after = told(open_graph(server.url, mirrors=True, asking="changed"), end.cursor)
        assert (changes, after.complete) == ([], False)
        assert "deltashowsharingchanges" in server.prefers[-1]


@pytest.mark.parametrize("body", ["", "[]", '{"id": "../1"}', '{"value": 5}', "<html>logowanie"])
def test_what_is_no_graph_is_an_error(server: GraphServer, body: str) -> None:
    server.says = lambda path: Page(body, media_type="application/json")
    with pytest.raises(FetchError):
        list(open_graph(server.url).changes(""))


def test_a_busy_server_is_waited_for_or_says_when_to_come_again(server: GraphServer) -> None:
    waits = iter(["0", "0"])
    server.says = lambda path: Page(status=503, headers={"Retry-After": w}) if (w := next(waits, "")) else None
    open_graph(server.url).check()
    server.says = lambda path: Page(status=429, headers={"Retry-After": "900"})
    with pytest.raises(HTTPFailure) as caught:
        open_graph(server.url).check()
    assert (caught.value.retryable, caught.value.retry_after) == (True, 900.0)


def test_a_file_that_is_no_more_says_so(server: GraphServer) -> None:
    foreign = ListedItem(path="a.txt", identity="b!0/../x")
    with pytest.raises(ItemVanished):
        open_graph(server.url).fetch(foreign, max_bytes=9)
