"""Git, met at its own server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.errors import UnknownRights
from ingestion.sources.connectors.protocol import ListingEnd
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchError, FetchFailed, FetchRefused
from tests.git_server import TOKEN, GitServer
from tests.ingestion.sources.connectors.contract import ConnectorContract, items
from tests.web_site import Page, WebSite

pytest.importorskip("dulwich", reason="the extra `connectors` is not installed")


def open_git(
    location: str, *, secret: str = TOKEN, networks: tuple[str, ...] = ("127.0.0.0/8",), **settings: str
) -> Connector:
    place = RemotePlace(location=location, settings=settings, secret=secret)
    return open_connector("git", place, AddressGuard(ports=[80, 443], networks=networks, silence=0.5))


class GitShelf:
    def __init__(self, server: GitServer) -> None:
        self.server, self.port = server, server.port

    def put(self, path: str, content: bytes) -> None:
        self.server.commit({path: content})

    def take_away(self, path: str) -> None:
        self.server.commit({path: None})

    def connect(
        self,
        *,
        secret: str | None = None,
        port: int | None = None,
        networks: tuple[str, ...] = ("127.0.0.0/8",),
        **settings: str,
    ) -> Connector:
        location = self.server.location.replace(f":{self.port}", f":{port or self.port}")
        return open_git(location, secret=TOKEN if secret is None else secret, networks=networks, **settings)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    with GitServer(tmp_path) as opened:
        yield opened


@pytest.fixture
def shelf(server: GitServer) -> GitShelf:
    return GitShelf(server)


@pytest.mark.slow
class TestGit(ConnectorContract):
    @pytest.fixture
    def shelf(self, server: GitServer) -> GitShelf:
        return GitShelf(server)

    step = 2500
    # What was listed is one state of the branch: it stays readable, and a later one is for the next listing.
    test_what_vanishes_after_it_was_listed_says_so = None  # type: ignore[assignment]
    test_what_was_read_has_the_version_that_the_next_listing_gives = None  # type: ignore[assignment]


@pytest.mark.slow
def test_a_state_that_was_listed_is_read_as_it_was(shelf: GitShelf) -> None:
    shelf.put("a.txt", b"pierwsza")
    connector = shelf.connect()
    (listed,) = items(connector).values()
    shelf.server.commit({"a.txt": None, "b.txt": b"druga"})
    assert connector.fetch(listed, max_bytes=100).content == b"pierwsza"
    assert list(items(shelf.connect())) == ["b.txt"]


@pytest.mark.slow
def test_a_cursor_is_a_commit_and_where_it_stands_nothing_is_sent(shelf: GitShelf) -> None:
    shelf.server.commit({f"{number}.txt": b"tu" for number in range(50)})
    *_, end = shelf.connect().changes("")
    assert isinstance(end, ListingEnd)
    asked = len(shelf.server.requests)
    assert list(shelf.connect().changes(end.cursor)) == [ListingEnd(complete=False, cursor=end.cursor)]
    assert len(shelf.server.requests) == asked + 2  # what it can do, and where the branch is
    shelf.put("1.txt", b"zmieniony")
    *listed, after = shelf.connect().changes(end.cursor)
    assert (len(listed), after.complete, after.cursor != end.cursor) == (50, True, True)  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_branch_and_a_folder_are_read_alone(shelf: GitShelf) -> None:
    shelf.server.commit({"a.txt": b"a", "kadry/b.txt": b"b"})
    shelf.server.commit({"kadry/praca/c.txt": b"c"}, branch="projekt")
    assert list(items(shelf.connect(folder="kadry"))) == ["b.txt"]
    assert list(items(shelf.connect(branch="projekt", folder="/kadry/"))) == ["praca/c.txt"]
    with pytest.raises(FetchRefused):
        shelf.connect(branch="nie-ma").check()
    for folder in ("nie-ma", "a.txt"):
        with pytest.raises(FetchFailed):
            items(shelf.connect(folder=folder))


@pytest.mark.slow
def test_links_and_what_stands_for_a_large_file_are_left_out(shelf: GitShelf) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    shelf.server.commit({"a.txt": b"a", "film.bin": pointer})
    shelf.server.link("haslo.txt", "/etc/passwd")
    assert list(items(shelf.connect())) == ["a.txt"]


@pytest.mark.slow
def test_a_repository_that_is_empty_or_not_there_is_told_so(shelf: GitShelf) -> None:
    for location in (shelf.server.location, shelf.server.location.replace("regulaminy", "inne")):
        with pytest.raises(FetchRefused):
            list(open_git(location).changes(""))


@pytest.mark.parametrize("kind", ["text/plain", "application/x-git-upload-pack-advertisement"])
def test_what_is_no_git_is_told_so(kind: str) -> None:
    with WebSite({"/a.git/info/refs?service=git-upload-pack": Page("Dzień dobry", media_type=kind)}) as site:
        with pytest.raises(FetchError) as caught:
            open_git(f"{site.url}/a.git").check()
        assert isinstance(caught.value, BadReply) == (kind == "text/plain")


def test_a_redirect_elsewhere_gets_no_token() -> None:
    with WebSite({}) as other, WebSite({}) as site:
        moved = Page(status=302, headers={"Location": f"{other.url}/a.git/info/refs?service=git-upload-pack"})
        site.pages = {"/a.git/info/refs?service=git-upload-pack": moved}
        with pytest.raises(FetchError):
            open_git(f"{site.url}/a.git").check()
        assert not other.requests


def test_it_tells_no_readers() -> None:
    with pytest.raises(UnknownRights):
        open_git("https://git.example.pl/a.git").rights([])
