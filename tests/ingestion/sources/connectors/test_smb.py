"""Network drives, met at Samba."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.protocol import ListedItem
from ingestion.sources.types import Principal
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchError, FetchFailed, FetchRefused
from tests.ingestion.sources.connectors.contract import ConnectorContract, MovedFolderContract, items, relaying
from tests.ingestion.sources.connectors.talking import talking
from tests.smb_server import PASSWORD, SMBServer, descriptor, running_smb


class SMBShelf:
    def __init__(self, server: SMBServer, below: str) -> None:
        self.server, self.below, self.port = server, below, server.port
        self.folder = server.folder / below

    def put(self, path: str, content: bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def take_away(self, path: str) -> None:
        (self.folder / path).unlink()

    def move(self, path: str, to: str) -> None:
        target = self.folder / to
        target.parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).rename(target)

    def connect(
        self,
        *,
        secret: str | None = None,
        port: int | None = None,
        networks: tuple[str, ...] = ("127.0.0.0/8",),
        share: str = "dane",
        below: str | None = None,
        domain: str = "",
    ) -> Connector:
        location = self.server.location(self.below if below is None else below, port=port, share=share)
        settings = {"user": self.server.account, "domain": domain}
        place = RemotePlace(location=location, settings=settings, secret=PASSWORD if secret is None else secret)
        return open_connector("smb", place, AddressGuard(ports=[445], networks=networks, silence=0.5))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SMBServer]:
    with running_smb(tmp_path_factory.mktemp("smbd")) as opened:
        yield opened


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SMBServer]:
    """One that offers no encryption."""
    with running_smb(tmp_path_factory.mktemp("smbd"), encrypts=False) as opened:
        yield opened


@pytest.fixture
def shelf(server: SMBServer, tmp_path: Path) -> SMBShelf:
    shelf = SMBShelf(server, tmp_path.name)
    shelf.folder.mkdir()
    return shelf


@pytest.mark.slow
class TestSMB(ConnectorContract, MovedFolderContract):
    @pytest.fixture
    def moving(self, shelf: SMBShelf) -> SMBShelf:
        return shelf

    @pytest.fixture
    def shelf(self, shelf: SMBShelf) -> SMBShelf:
        return shelf


READ, WRITE = 0x1200A9, 0x116
KADRY, PLACE, STAZYSCI = "S-1-5-21-1-2-3-1101", "S-1-5-21-1-2-3-1102", "S-1-5-21-1-2-3-1103"
EVERYONE, SYSTEM = "S-1-1-0", "S-1-5-18"
INHERIT_ONLY = 0x08


@pytest.mark.slow
class TestPlaces:
    def test_links_lead_nowhere_they_do_not_end_and_hidden_files_are_left_out(self, shelf: SMBShelf) -> None:
        shelf.put("kadry/a.txt", b"a")
        shelf.put(".ukryty/b.txt", b"b")
        (shelf.folder / "kadry/pętla").symlink_to(shelf.folder)
        (shelf.folder / "kadry/druga").symlink_to(shelf.folder / "kadry")
        (shelf.folder / "poza.txt").symlink_to("/etc/passwd")
        assert list(items(shelf.connect())) == ["kadry/a.txt"]

    def test_what_is_renamed_keeps_its_identity_and_what_comes_in_its_place_has_another(self, shelf: SMBShelf) -> None:
        shelf.server.write(f"{shelf.below}/a.txt", b"a")
        before = items(shelf.connect())["a.txt"]
        (shelf.folder / "a.txt").rename(shelf.folder / "b.txt")
        (shelf.folder / "b.txt").write_text("zmieniona")
        shelf.server.write(f"{shelf.below}/a.txt", b"a")
        after = items(shelf.connect())
        assert before.identity == after["b.txt"].identity != ""
        assert after["a.txt"].identity not in {"", before.identity}
        assert len({before.version, after["a.txt"].version, after["b.txt"].version}) == 3

    def test_a_place_that_is_not_there_is_no_empty_one(self, shelf: SMBShelf) -> None:
        for place in ({"below": "nie-ma"}, {"share": "nie-ma"}):
            with pytest.raises(FetchFailed):
                items(shelf.connect(**place))
            with pytest.raises(FetchError):
                shelf.connect(**place).check()

    def test_an_address_without_a_share_is_told_so(self, shelf: SMBShelf) -> None:
        with pytest.raises(FetchRefused):
            shelf.connect(share="", below="").check()

    def test_a_share_in_a_tree_of_shares_is_read_by_its_whole_path(self, shelf: SMBShelf) -> None:
        shelf.put("kadry/a.txt", b"a")
        connector = shelf.connect(share="drzewo")
        (listed,) = items(connector).values()
        assert (listed.path, connector.fetch(listed, max_bytes=10).content) == ("kadry/a.txt", b"a")

    def test_an_account_of_a_domain_is_named_with_it(self, shelf: SMBShelf) -> None:
        shelf.connect(domain="BAZA").check()

    def test_names_are_looked_up_by_the_guard_alone(self, shelf: SMBShelf) -> None:
        asked: list[str] = []

        def resolve(host: str, port: int) -> list[str]:
            asked.append(host)
            return ["127.0.0.1"]

        location = shelf.server.location(shelf.below).replace("127.0.0.1", "pliki.example.pl")
        place = RemotePlace(location=location, settings={"user": shelf.server.account}, secret=PASSWORD)
        open_connector("smb", place, AddressGuard(ports=[445], networks=["127.0.0.0/8"], resolver=resolve)).check()
        assert asked == ["pliki.example.pl"]


@pytest.mark.slow
class TestLine:
    """What somebody on the way can see and do."""

    def test_it_is_encrypted_where_the_server_offers_it(self, server: SMBServer, plain: SMBServer) -> None:
        for one, is_seen in ((server, False), (plain, True)):
            shelf, seen = SMBShelf(one, "podgląd"), bytearray()
            shelf.put("a.txt", b"Pensja: 12345")

            def note(piece: bytes, seen: bytearray = seen) -> bytes:
                seen.extend(piece)
                return piece

            with relaying(one.port, note) as port:
                connector = shelf.connect(port=port)
                (listed,) = items(connector).values()
                assert connector.fetch(listed, max_bytes=100).content == b"Pensja: 12345"
            assert (b"Pensja" in seen) == is_seen

    @pytest.mark.parametrize("is_stripped", [False, True])
    def test_an_answer_that_somebody_changed_is_not_believed(self, plain: SMBServer, is_stripped: bool) -> None:
        shelf = SMBShelf(plain, "zmieniane")
        shelf.put("a.txt", b"Pensja: 12345")

        def change(piece: bytes) -> bytes:
            if b"Pensja" not in piece:
                return piece
            changed = bytearray(piece.replace(b"12345", b"99999"))
            if is_stripped:
                start = changed.index(b"\xfeSMB")
                changed[start + 16] &= ~0x08  # signed
                changed[start + 48 : start + 64] = bytes(16)  # the signature
            return bytes(changed)

        with relaying(plain.port, change) as port:
            connector = shelf.connect(port=port)
            (listed,) = items(connector).values()
            with pytest.raises(FetchError):
                connector.fetch(listed, max_bytes=100)

    @pytest.mark.parametrize("said", [b"\xff\xff\xff\xff", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0\0\0\4abcd"])
    def test_what_is_no_smb_is_told_so_however_long_it_says_it_is(self, shelf: SMBShelf, said: bytes) -> None:
        with talking([said]) as port, pytest.raises(BadReply):
            shelf.connect(port=port).check()


@pytest.mark.slow
class TestRights:
    def test_those_may_read_whom_the_file_lets_read(self, shelf: SMBShelf) -> None:
        shelf.put("płace.txt", b"x")
        rights = descriptor(
            ("allow", KADRY, READ, 0), ("allow", PLACE, WRITE, 0), ("allow", SYSTEM, READ, 0),
            ("allow", STAZYSCI, READ, INHERIT_ONLY),
        )  # fmt: skip
        shelf.server.protect(f"{shelf.below}/płace.txt", rights)
        connector = shelf.connect()
        assert connector.rights(list(items(connector).values())) == {"płace.txt": {Principal(kind="group", name=KADRY)}}

    def test_rights_that_cannot_be_read_are_nobodys_and_said_in_the_log(
        self, shelf: SMBShelf, caplog: pytest.LogCaptureFixture
    ) -> None:
        shelf.put("a.txt", b"a")
        shelf.server.protect(f"{shelf.below}/a.txt", descriptor(("allow", EVERYONE, READ, 0)))
        there = [ListedItem(path="znikł.txt"), ListedItem(path="a.txt")]
        with caplog.at_level("WARNING", logger="knowledgetree.sources"):
            assert shelf.connect().rights(there) == {"a.txt": None}
        assert "znikł.txt" in caplog.text

    def test_a_server_that_breaks_off_leaves_the_rights_as_they_were(self, shelf: SMBShelf) -> None:
        with talking([b""]) as port, pytest.raises(FetchFailed):
            shelf.connect(port=port).rights([ListedItem(path="a.txt")])
