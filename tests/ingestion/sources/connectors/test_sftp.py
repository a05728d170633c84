"""SFTP, met at OpenSSH."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.errors import AccessDenied, UnknownRights
from ingestion.sources.connectors.protocol import ClosedPart, ListedItem, ListingEnd
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchError, FetchRefused
from tests.ingestion.sources.connectors.contract import ConnectorContract, MovedFolderContract, items
from tests.sftp_server import ACCOUNT, PASSWORD, SFTPServer, running_sftp, running_sftp_by_password


class SFTPShelf:
    def __init__(self, server: SFTPServer, folder: Path) -> None:
        self.server, self.folder, self.port = server, folder, server.port

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
        host_key: str | None = None,
        below: str = "",
    ) -> Connector:
        known = self.server.fingerprint if host_key is None else host_key
        place = RemotePlace(
            location=f"sftp://127.0.0.1:{port or self.port}{self.folder}{below}",
            settings={"user": self.server.account, "host_key": known},
            secret=self.server.key if secret is None else secret,
        )
        return open_connector("sftp", place, AddressGuard(ports=[22], networks=networks, silence=0.5))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SFTPServer]:
    with running_sftp(tmp_path_factory.mktemp("sshd")) as opened:
        yield opened


@pytest.fixture
def shelf(server: SFTPServer, tmp_path: Path) -> SFTPShelf:
    folder = tmp_path / "pliki"
    folder.mkdir()
    return SFTPShelf(server, folder)


@pytest.mark.slow
class TestSFTP(ConnectorContract, MovedFolderContract):
    rereads = True

    @pytest.fixture
    def moving(self, shelf: SFTPShelf) -> SFTPShelf:
        return shelf

    @pytest.fixture
    def shelf(self, shelf: SFTPShelf) -> SFTPShelf:
        return shelf


@pytest.mark.slow
class TestKeys:
    def test_a_server_that_nobody_confirmed_gets_no_password_and_its_key_is_told(self, shelf: SFTPShelf) -> None:
        with pytest.raises(FetchRefused, match=r"SHA256:"):
            shelf.connect(host_key="").check()
        with pytest.raises(FetchRefused) as caught:
            shelf.connect(host_key="SHA256:AAAAC3NzaC1lZDI1NTE5AAAAIInnyKey000000000000").check()
        assert shelf.server.fingerprint in str(caught.value)
        shelf.connect(host_key=f"SHA256:inny, {shelf.server.fingerprint}").check()

    def test_a_key_that_a_field_of_one_line_took_the_breaks_from_is_read(self, shelf: SFTPShelf) -> None:
        shelf.connect(secret="".join(shelf.server.key.splitlines())).check()

    def test_a_key_that_is_none_is_told_so(self, shelf: SFTPShelf) -> None:
        broken = "-----BEGIN OPENSSH PRIVATE KEY-----AAAA-----END OPENSSH PRIVATE KEY-----"
        with pytest.raises(AccessDenied):
            shelf.connect(secret=broken).check()


@pytest.mark.slow
def test_links_lead_nowhere_and_a_name_that_is_no_utf8_closes_its_folder_alone(shelf: SFTPShelf) -> None:
    shelf.put("a.txt", b"a")
    shelf.put("stare/b.txt", b"b")
    (shelf.folder / "skrót.txt").symlink_to(shelf.folder / "a.txt")
    (shelf.folder / "pętla").symlink_to(shelf.folder)
    Path(os.fsdecode(bytes(shelf.folder) + b"/stare/za\xbf\xf3\xb3\xe6.txt")).write_text("w cp1250")
    listed = list(shelf.connect().changes(""))
    assert [one.path for one in listed if isinstance(one, ListedItem)] == ["a.txt"]
    assert [one.path for one in listed if isinstance(one, ClosedPart)] == ["stare"]
    assert listed[-1] == ListingEnd(complete=True)


@pytest.mark.slow
def test_a_place_that_is_not_there_is_no_empty_one(shelf: SFTPShelf) -> None:
    for verb in (lambda one: one.check(), lambda one: items(one)):
        with pytest.raises(FetchError):
            verb(shelf.connect(below="/nie-ma"))


@pytest.mark.slow
def test_it_tells_no_readers(shelf: SFTPShelf) -> None:
    with pytest.raises(UnknownRights):
        shelf.connect().rights([])


class TestPassword:
    def connect(self, port: int, fingerprint: str, *, secret: str = PASSWORD) -> Connector:
        settings = {"user": ACCOUNT, "host_key": fingerprint}
        place = RemotePlace(location=f"sftp://127.0.0.1:{port}/", settings=settings, secret=secret)
        return open_connector("sftp", place, AddressGuard(ports=[22], networks=["127.0.0.0/8"], silence=5))

    def test_an_account_with_a_password_is_let_in_by_it(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("a")
        with running_sftp_by_password(tmp_path) as (port, fingerprint):
            assert list(items(self.connect(port, fingerprint))) == ["a.txt"]
            with pytest.raises(AccessDenied) as caught:
                self.connect(port, fingerprint, secret="inne hasło").check()
            assert not caught.value.retryable

    def test_a_server_that_wants_more_than_a_password_is_told_so(self, tmp_path: Path) -> None:
        asking = running_sftp_by_password(tmp_path, wants_more=True)
        with asking as (port, fingerprint), pytest.raises(AccessDenied, match="telefonu"):
            self.connect(port, fingerprint).check()
