"""Git, met at its own server."""

import hashlib
import os
import struct
import tracemalloc
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.errors import FoldersTooDeep, UnknownRights
from ingestion.sources.connectors.protocol import ListingEnd, RemembersHistory
from ingestion.sources.types import Revision
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchError, FetchFailed, FetchRefused, TooLarge
from tests.git_server import TOKEN, GitServer
from tests.ingestion.sources.connectors.contract import ConnectorContract, MovedFolderContract, items
from tests.web_site import Page, WebSite

pytest.importorskip("dulwich", reason="the extra `connectors` is not installed")

from ingestion.sources.connectors.git.packs import CheckedObjectStore, PackLimits, check_pack


def open_git(
    location: str, *, secret: str = TOKEN, networks: tuple[str, ...] = ("127.0.0.0/8",), **settings: str
) -> Connector:
    place = RemotePlace(location=location, settings=settings, secret=secret)
    return open_connector(
        "git", place, AddressGuard(ports=[80, 443], networks=networks, silence=3.0)
    )  # a process of Git for each request


class GitShelf:
    def __init__(self, server: GitServer) -> None:
        self.server, self.port = server, server.port

    def put(self, path: str, content: bytes) -> None:
        self.server.commit({path: content})

    def take_away(self, path: str) -> None:
        self.server.commit({path: None})

    def move(self, path: str, to: str) -> None:
        self.server.move(path, to)

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
class TestGit(ConnectorContract, MovedFolderContract):
    @pytest.fixture
    def moving(self, shelf: GitShelf) -> GitShelf:
        return shelf

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
class TestHistory:
    """As a Git server tells it; what becomes of it stands in `tests/ingestion/syncing/test_git_history.py`."""

    def told(self, connector: Connector, *, most: int = 10) -> dict[str, list[tuple[str, bytes]]]:
        """By path, the newest first: the path that it had and what it said."""
        assert isinstance(connector, RemembersHistory)
        states = connector.history(list(items(connector).values()), most=most)
        return {
            path: [(state.item.path, connector.fetch(state.item, max_bytes=100).content) for state in told]
            for path, told in states.items()
        }

    def test_states_are_told_newest_first_with_who_and_when(self, shelf: GitShelf) -> None:
        first = shelf.server.commit({"a.txt": b"1", "b.txt": b"b"}, on="2024-01-01", message="Początek\n\nCały.")
        second = shelf.server.commit({"a.txt": b"2"}, on="2024-02-01", message="Zmiana")
        connector = shelf.connect()
        assert isinstance(connector, RemembersHistory)
        told = connector.history([items(connector)["a.txt"]], most=5)
        assert [one.revision for one in told["a.txt"]] == [
            Revision(key=second, since=datetime(2024, 2, 1, 12, tzinfo=UTC), note="Anna Kadrowa: Zmiana"),
            Revision(key=first, since=datetime(2024, 1, 1, 12, tzinfo=UTC), note="Anna Kadrowa: Początek\n\nCały."),
        ]
        assert list(told) == ["a.txt"]

    def test_no_more_states_than_wanted_and_none_where_none_are(self, shelf: GitShelf) -> None:
        for number in range(5):
            shelf.put("a.txt", b"%d" % number)
        assert self.told(shelf.connect(), most=2) == {"a.txt": [("a.txt", b"4"), ("a.txt", b"3"), ("a.txt", b"2")]}
        assert self.told(shelf.connect(history="1")) == {"a.txt": [("a.txt", b"4"), ("a.txt", b"3")]}
        assert self.told(shelf.connect(history="0")) == {}
        with pytest.raises(FetchRefused):
            shelf.connect(history="wszystkie")

    def test_what_lay_outside_the_folder_is_not_told(self, shelf: GitShelf) -> None:
        shelf.put("tajne/a.txt", b"tajna")
        shelf.server.commit(moved={"tajne/a.txt": "kadry/a.txt"})
        shelf.put("kadry/a.txt", b"jawna")
        assert self.told(shelf.connect(folder="kadry")) == {"a.txt": [("a.txt", b"jawna"), ("a.txt", b"tajna")]}
        shelf.put("kadry/a.txt", b"nowa")
        shelf.server.move("kadry", "regulaminy")
        assert self.told(shelf.connect(folder="regulaminy")) == {"a.txt": [("a.txt", b"nowa")]}

    def test_a_file_that_came_in_the_place_of_another_has_none_of_its_past(self, shelf: GitShelf) -> None:
        shelf.put("a.txt", b"stara umowa\n" * 9)
        shelf.take_away("a.txt")
        shelf.put("a.txt", b"nowa")
        assert self.told(shelf.connect()) == {"a.txt": [("a.txt", b"nowa")]}

    def test_little_is_sent_where_the_server_can_leave_contents_out(self, shelf: GitShelf) -> None:
        for _number in range(10):
            shelf.server.commit({"duży.bin": os.urandom(100_000), "a.txt": os.urandom(10)})
        connector = shelf.connect()
        connector.history([items(connector)["a.txt"]], most=20)  # type: ignore[attr-defined]
        assert connector._client.received < 250_000  # type: ignore[attr-defined]


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


@pytest.mark.slow
def test_a_list_of_branches_that_does_not_end_fills_no_memory(shelf: GitShelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.server.commit({"a.txt": os.urandom(10_000)})
    monkeypatch.setattr("ingestion.sources.connectors.git.client.MAX_ANSWER_BYTES", 1000)
    assert list(items(shelf.connect())) == ["a.txt"]
    monkeypatch.setattr("ingestion.sources.connectors.git.client.MAX_ANSWER_BYTES", 20)
    with pytest.raises(TooLarge):
        shelf.connect().check()


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


def pack_of(*objects: tuple[int, int, bytes, bytes]) -> bytes:
    """A pack of these: (kind, size that it says, where its base is, what is packed)."""
    said = [b"PACK", struct.pack(">LL", 2, len(objects))]
    for kind, size, base, content in objects:
        said += [_number((kind << 4) | (size & 15) | (0x80 if size > 15 else 0), size >> 4), base, content]
    whole = b"".join(said)
    return whole + hashlib.sha1(whole).digest()


def _number(first: int, rest: int) -> bytes:
    groups = bytearray([first])
    while rest:
        groups.append((rest & 0x7F) | (0x80 if rest > 0x7F else 0))
        rest >>= 7
    return bytes(groups)


def zeros(megabytes: int) -> bytes:
    """So many, packed a thousand times."""
    packing = zlib.compressobj(9)
    return b"".join([*(packing.compress(bytes(1_000_000)) for _ in range(megabytes)), packing.flush()])


BLOB, REF_DELTA = 3, 7
BASE = hashlib.sha1(b"blob 3\0abc").digest()
MAKES_MUCH = zlib.compress(bytes([3]) + b"\xff\xff\xff\xff\x0f" + b"\x91\0\3")  # of three bytes four gigabytes


class TestBombs:
    @pytest.mark.parametrize(
        "pack",
        [
            pack_of((BLOB, 600_000_000, b"", zeros(1))),
            pack_of((BLOB, 3, b"", zlib.compress(b"abc")), (REF_DELTA, 9, BASE, MAKES_MUCH)),
            pack_of(*[(REF_DELTA, 2_000_000, BASE, zeros(2))] * 3),
            b"PACK" + struct.pack(">LL", 2, 50_000_000),
        ],
        ids=["object", "delta", "deltas", "count"],
    )
    def test_what_unpacks_to_more_than_there_may_be_is_refused_in_little_memory(
        self, pack: bytes, tmp_path: Path
    ) -> None:
        file = tmp_path / "pack"
        file.write_bytes(pack)
        tracemalloc.start()
        with file.open("r+b") as opened, pytest.raises(TooLarge):
            check_pack(opened, limits=PackLimits(delta_bytes=5_000_000))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
        tracemalloc.stop()

    @pytest.mark.parametrize(
        "pack",
        [
            pack_of((BLOB, 3, b"", zeros(1))),
            pack_of((BLOB, 3, b"", zlib.compress(b"ab"))),
            pack_of((BLOB, 3, b"", zlib.compress(b"abc")[:-6])),
            pack_of((REF_DELTA, 9, BASE, zlib.compress(b"\xff" * 9))),
            b"PACK", b"PACK" + struct.pack(">LL", 2, 3),
        ],
        ids=["larger", "smaller", "cut", "endless", "short", "empty"],
    )  # fmt: skip
    def test_what_is_no_pack_raises_what_the_connector_knows(self, pack: bytes, tmp_path: Path) -> None:
        file = tmp_path / "pack"
        file.write_bytes(pack)
        with file.open("r+b") as opened, pytest.raises((ValueError, LookupError, struct.error, zlib.error)):
            check_pack(opened, limits=PackLimits())

    @pytest.mark.slow
    def test_a_file_that_unpacks_to_too_much_is_told_and_nothing_comes(
        self, shelf: GitShelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(CheckedObjectStore, "limits", PackLimits(object_bytes=5_000_000))
        shelf.put("bomba.txt", bytes(6_000_000))
        with pytest.raises(TooLarge) as caught:
            items(shelf.connect())
        assert not caught.value.retryable
        shelf.put("bomba.txt", bytes(4_000_000))
        assert items(shelf.connect())["bomba.txt"].size == 4_000_000

    @pytest.mark.slow
    def test_trees_in_each_other_end(self, shelf: GitShelf, monkeypatch: pytest.MonkeyPatch) -> None:
        shelf.put("/".join(["x"] * 60 + ["a.txt"]), b"a")
        with pytest.raises(FoldersTooDeep):
            items(shelf.connect())
        shelf.server.commit({"x": None, **{f"{folder}/{n}.txt": b"tu" for folder in "ab" for n in range(6)}})
        monkeypatch.setattr("ingestion.sources.connectors.git.connector.MOST_ITEMS", 10)
        with pytest.raises(TooLarge):
            items(shelf.connect())
