"""What every connector does, met at a real server of its kind."""

import itertools
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Protocol

import pytest

from ingestion.sources.connectors import Connector, ReadingOptions, plan_connector, read_connector
from ingestion.sources.connectors.errors import AccessDenied, ItemVanished
from ingestion.sources.connectors.protocol import Change, ListedItem, ListingEnd
from ingestion.sources.types import FetchedDocument, Moved, Planned, Reached
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.fetching.errors import FetchError, FetchRefused, TooLarge


class Shelf(Protocol):
    """A place that a test fills by other means than the connector's."""

    def put(self, path: str, content: bytes) -> None: ...

    def take_away(self, path: str) -> None: ...

    def connect(
        self, *, secret: str | None = None, port: int | None = None, networks: tuple[str, ...] = ("127.0.0.0/8",)
    ) -> Connector:
        """With another secret, through another port, or where no private network is allowed."""

    @property
    def port(self) -> int: ...


class MovingShelf(Shelf, Protocol):
    """One whose folders can be moved, with all that is in them."""

    def move(self, path: str, to: str) -> None: ...


def items(connector: Connector, cursor: str = "") -> dict[str, ListedItem]:
    """What is listed, where the listing comes to its end."""
    listed = list(connector.changes(cursor))
    assert isinstance(listed[-1], ListingEnd)
    return {one.path: one for one in listed if isinstance(one, ListedItem)}


class FaultContract:
    """What goes wrong at any place. `put` and `take_away` are about one item each, whatever it is called there."""

    step = 1500
    """Bytes between two places where the connection is cut."""

    @pytest.fixture
    def shelf(self) -> Shelf:
        raise NotImplementedError

    def test_what_vanishes_after_it_was_listed_says_so(self, shelf: Shelf) -> None:
        shelf.put("a.txt", b"a")
        connector = shelf.connect()
        (listed,) = items(connector).values()
        shelf.take_away("a.txt")
        with pytest.raises(ItemVanished):
            connector.fetch(listed, max_bytes=10_000)

    def test_a_listing_during_which_something_changes_comes_to_its_end(self, shelf: Shelf) -> None:
        for number in range(6):
            shelf.put(f"{number}/plik.txt", b"tu")
        before = set(items(shelf.connect()))
        listing = shelf.connect().changes("")
        first = next(listing)
        assert isinstance(first, ListedItem)
        shelf.take_away("5/plik.txt")
        shelf.put("3/nowy.txt", b"nowy")
        rest = list(listing)
        assert isinstance(rest[-1], ListingEnd)
        paths = [one.path for one in [first, *rest] if isinstance(one, ListedItem)]
        assert len(paths) == len(set(paths))
        stayed = before & set(items(shelf.connect()))
        assert len(stayed) == 5
        assert stayed <= set(paths)

    def test_what_is_larger_than_wanted_is_not_kept_in_memory(self, shelf: Shelf) -> None:
        shelf.put("duży.bin", bytes(300_000))
        connector = shelf.connect()
        (listed,) = items(connector).values()
        with pytest.raises(TooLarge):
            connector.fetch(listed, max_bytes=1000)
        size = listed.size or 300_000
        assert len(connector.fetch(listed, max_bytes=size).content) == size >= 300_000

    def test_an_account_that_is_refused_is_told_so_and_not_tried_again(self, shelf: Shelf) -> None:
        shelf.put("a.txt", b"a")
        with pytest.raises(AccessDenied) as caught:
            list(shelf.connect(secret="inne").changes(""))
        assert not caught.value.retryable
        assert caught.value.remedy

    def test_a_private_network_is_closed_unless_an_administrator_allows_it(self, shelf: Shelf) -> None:
        with pytest.raises(FetchRefused):
            list(shelf.connect(networks=()).changes(""))

    def test_a_server_that_says_nothing_is_asked_again_later(self, shelf: Shelf) -> None:
        with _listening(lambda opened: None) as port, pytest.raises(FetchError) as caught:
            list(shelf.connect(port=port).changes(""))
        assert caught.value.retryable

    def test_a_listing_that_is_broken_off_has_no_end(self, shelf: Shelf) -> None:
        """Wherever the connection is cut: nothing is taken for gone then."""
        for number in range(30):
            shelf.put(f"plik {number}.txt", b"tu")
        ended = 0
        for most in itertools.count(200, self.step):
            with _cutting(shelf.port, most=most) as port:
                listed: list[Change] = []
                try:
                    listed.extend(shelf.connect(port=port).changes(""))
                except KnowledgeTreeError as error:
                    assert error.retryable, error  # noqa: PT017
                    assert not any(isinstance(one, ListingEnd) for one in listed)
                else:
                    ended = len(listed)
                    break
        assert ended == 31
        assert most > 200


class ConnectorContract(FaultContract):
    """What holds where items are files under their own names."""

    def test_what_is_there_is_listed_with_its_size_and_read(self, shelf: Shelf) -> None:
        shelf.put("regulamin.txt", b"Regulamin")
        shelf.put("kadry/urlopy.txt", b"Urlop trwa 26 dni.")
        connector = shelf.connect()
        connector.check()
        listed = items(connector)
        assert {path: item.size for path, item in listed.items()} == {"regulamin.txt": 9, "kadry/urlopy.txt": 18}
        assert connector.fetch(listed["kadry/urlopy.txt"], max_bytes=100).content == b"Urlop trwa 26 dni."

    def test_names_of_any_kind_are_kept(self, shelf: Shelf) -> None:
        names = ["Zażółć gęślą jaźń.txt", "ze spacją i 100%.txt", "a+b&c=d.txt", "nr #5 [kopia].txt"]
        for name in names:
            shelf.put(f"różne/{name}", name.encode())
        connector = shelf.connect()
        listed = items(connector)
        assert set(listed) == {f"różne/{name}" for name in names}
        assert all(connector.fetch(item, max_bytes=100).content.decode() in path for path, item in listed.items())

    def test_a_version_stays_until_the_content_is_another(self, shelf: Shelf) -> None:
        shelf.put("a.txt", b"pierwsza")
        shelf.put("b.txt", b"inna")
        before = items(shelf.connect())
        assert items(shelf.connect()) == before
        shelf.put("a.txt", b"druga, z innym rozmiarem")
        after = items(shelf.connect())
        assert after["a.txt"].version not in ("", before["a.txt"].version)
        assert after["b.txt"] == before["b.txt"]

    def test_what_was_read_has_the_version_that_the_next_listing_gives(self, shelf: Shelf) -> None:
        shelf.put("a.txt", b"pierwsza")
        connector = shelf.connect()
        (listed,) = items(connector).values()
        shelf.put("a.txt", b"zmieniona w trakcie")
        read = connector.fetch(listed, max_bytes=100)
        assert read.content == b"zmieniona w trakcie"
        (now,) = items(connector).values()
        # Either the reply said its version, or the old one is kept, so that the next time reads it again.
        assert read.version in (now.version, listed.version)

    def test_what_is_renamed_or_moved_is_at_its_new_path_alone(self, shelf: Shelf) -> None:
        shelf.put("stara/nazwa.txt", b"ta sama")
        assert list(items(shelf.connect())) == ["stara/nazwa.txt"]
        shelf.take_away("stara/nazwa.txt")
        shelf.put("nowa/inna nazwa.txt", b"ta sama")
        assert list(items(shelf.connect())) == ["nowa/inna nazwa.txt"]


class MovedFolderContract:
    """What holds of a folder that is renamed or moved. `rereads`: the place tells nothing that a file would be known by
    under its new path, so that it is read once more.
    """

    rereads = False

    @pytest.fixture
    def moving(self) -> MovingShelf:
        raise NotImplementedError

    def test_a_moved_folder_fetches_nothing(self, moving: MovingShelf) -> None:
        for path in ("a.txt", "b.txt", "c/a.txt", "c/pusty.txt", "d/pusty.txt"):
            moving.put(f"kadry/{path}", b"formularz" if "pusty" in path else path.encode())
        options = ReadingOptions(location="dysk://firma")
        known = {
            step.uri: step.version
            for step in read_connector(moving.connect(), options=options, known={})
            if isinstance(step, FetchedDocument)
        }
        assert len(known) == 5
        moving.move("kadry", "archiwum/kadry i płace")
        planned = plan_connector(moving.connect(), options=options, known=known)
        steps = list(read_connector(moving.connect(), options=options, known=known))
        moved = [step for step in steps if isinstance(step, FetchedDocument if self.rereads else Moved)]
        expected = {uri.replace("/kadry/", "/archiwum/kadry i płace/"): uri for uri in known}
        assert {step.uri: step.former for step in moved} == expected
        assert len(steps) == 6
        assert isinstance(steps[-1], Reached)
        if not self.rereads:
            assert {step.uri: step.version.checksum for step in moved} == {
                uri: known[former].checksum for uri, former in expected.items()
            }
            assert {(step.result, step.former) for step in planned if isinstance(step, Planned)} == {
                ("changed", former) for former in known
            }


@contextmanager
def _listening(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server of one connection after the other."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        opened: list[socket.socket] = []

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _address = server.accept()
                    opened.append(connection)
                    serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield int(server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)
        for connection in opened:
            connection.close()


@contextmanager
def relaying(target: int, answer: Callable[[bytes], bytes]) -> Iterator[int]:
    """A way to the server that says `answer` of each piece that it sends, and ends where that is shorter."""

    def pass_on(near: socket.socket, far: socket.socket, said: Callable[[bytes], bytes]) -> None:
        with suppress(OSError):
            while piece := near.recv(65536):
                passed = said(piece)
                far.sendall(passed)
                if len(passed) < len(piece):
                    break
        for one in (near, far):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def serve(near: socket.socket) -> None:
        far = socket.create_connection(("127.0.0.1", target))
        threading.Thread(target=pass_on, args=(near, far, bytes), daemon=True).start()
        threading.Thread(target=pass_on, args=(far, near, answer), daemon=True).start()

    with _listening(serve) as port:
        yield port


def _cutting(target: int, *, most: int) -> AbstractContextManager[int]:
    """A way to the server that is cut once it has sent `most` bytes."""
    left = [most]

    def cut(piece: bytes) -> bytes:
        passed = piece[: left[0]]
        left[0] -= len(passed)
        return passed

    return relaying(target, cut)
