"""Mailboxes, met at Dovecot."""

import email
from collections.abc import Iterator
from email import policy
from ipaddress import ip_address

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.protocol import Change, ListedItem, ListingEnd, RemovedItem
from ingestion.sources.types import Principal
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchError
from tests.ingestion.sources.connectors.contract import FaultContract, items
from tests.ingestion.sources.connectors.talking import talking
from tests.mail_server import ACCOUNT, PASSWORD, MailServer, message, running_mail_server

pytest.importorskip("imapclient", reason="IMAPClient is not installed")


def open_imap(
    location: str,
    *,
    secret: str = PASSWORD,
    networks: tuple[str, ...] = ("127.0.0.0/8",),
    silence: float = 20.0,
    **settings: str,
) -> Connector:
    place = RemotePlace(location=location, settings={"user": ACCOUNT, **settings}, secret=secret)
    return open_connector("imap", place, AddressGuard(ports=[143, 993], networks=networks, silence=silence))


class Postbox:
    """A message an item, with its path as the subject and its content as the text."""

    def __init__(self, server: MailServer) -> None:
        self.server, self.port = server, server.port

    def put(self, path: str, content: bytes) -> None:
        self.server.deliver(message(path, content.decode("latin-1").replace("\0", "x")))

    def take_away(self, path: str) -> None:
        self.server.mark_deleted(path)

    def connect(
        self, *, secret: str | None = None, port: int | None = None, networks: tuple[str, ...] = ("127.0.0.0/8",)
    ) -> Connector:
        location = f"imap://127.0.0.1:{port or self.port}/"
        # Where another port is given nobody may answer.
        silence = 20.0 if port is None else 1.0
        return open_imap(location, secret=PASSWORD if secret is None else secret, networks=networks, silence=silence)


@pytest.fixture(scope="module")
def running() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


@pytest.fixture
def server(running: MailServer) -> MailServer:
    running.empty()
    return running


class TestIMAP(FaultContract):
    step = 2500

    @pytest.fixture
    def shelf(self, server: MailServer) -> Postbox:
        return Postbox(server)


def subjects(connector: Connector) -> set[str]:
    listed = items(connector).values()
    return {email.message_from_bytes(connector.fetch(one, max_bytes=9999).content)["Subject"] for one in listed}


def removed(changes: list[Change]) -> set[str]:
    return {one.path for one in changes if isinstance(one, RemovedItem)}


class TestFolders:
    def test_all_are_read_but_the_wastebasket_and_messages_stay_unread(self, server: MailServer) -> None:
        server.deliver(message("Urlopy", "Urlop trwa 26 dni."))
        server.deliver(message("Sprawa", "Sprawa"), folder="Sprawy/Różne")
        server.deliver(message("Kosz", "Kosz"), folder="Kosz")
        connector = open_imap(server.location)
        connector.check()
        assert {path.rpartition("/")[0] for path in items(connector)} == {"INBOX", "Sprawy/Różne"}
        assert subjects(connector) == {"Urlopy", "Sprawa"}
        assert server.seen() == 0

    def test_a_location_is_a_folder_with_what_is_below(self, server: MailServer) -> None:
        for folder in ("INBOX", "Sprawy", "Sprawy/2026", "Sprawy2"):
            server.deliver(message(folder, "x"), folder=folder)
        assert subjects(open_imap(f"{server.location}Sprawy")) == {"Sprawy", "Sprawy/2026"}
        assert set(items(open_imap(f"{server.location}inbox/"))) == {f"{_only_uid(server)}.eml"}
        with pytest.raises(FetchError):
            open_imap(f"{server.location}Nie-ma").check()


def _only_uid(server: MailServer) -> str:
    (path,) = (path for path in items(open_imap(server.location)) if path.startswith("INBOX/"))
    return path.removeprefix("INBOX/").removesuffix(".eml")


class TestAgain:
    def test_only_what_came_and_went_is_told(self, server: MailServer) -> None:
        for number in range(5):
            server.deliver(message(f"nr {number}", "x"))
        connector = open_imap(server.location)
        first = list(connector.changes(""))
        assert first[-1] == ListingEnd(complete=True, cursor=first[-1].cursor)  # type: ignore[union-attr]
        paths = [one.path for one in first if isinstance(one, ListedItem)]
        server.mark_deleted("nr 1")
        server.mark_deleted("nr 3", expunge=False)
        server.deliver(message("nr 5", "x"))
        again = list(connector.changes(first[-1].cursor))  # type: ignore[union-attr]
        assert removed(again) == {paths[1], paths[3]}
        assert len([one for one in again if isinstance(one, ListedItem)]) == 1
        assert again[-1].complete is False  # type: ignore[union-attr]
        assert [type(one) for one in connector.changes(again[-1].cursor)] == [ListingEnd]  # type: ignore[union-attr]

    def test_a_folder_that_is_gone_or_numbered_anew_loses_its_old_messages(self, server: MailServer) -> None:
        for folder in ("A", "B"):
            server.deliver(message(folder, "x"), folder=folder)
        connector = open_imap(server.location)
        end = list(connector.changes(""))[-1]
        server.drop_folder("A")
        server.drop_folder("B")
        server.deliver(message("inna", "x"), folder="B")  # another folder of the same name, with the same UID
        again = list(connector.changes(end.cursor))  # type: ignore[union-attr]
        assert removed(again) == {"A/1.eml", "B/1.eml"}
        listed = [one for one in again if isinstance(one, ListedItem)]
        assert [one.path for one in listed] == ["B/1.eml"]
        assert b"inna" in connector.fetch(listed[0], max_bytes=9999).content

    @pytest.mark.parametrize("cursor", ["nie kursor", "[]", '{"INBOX": 5}', '{"INBOX": "1 x"}'])
    def test_a_cursor_that_is_none_lists_everything(self, server: MailServer, cursor: str) -> None:
        server.deliver(message("a", "x"))
        listed = list(open_imap(server.location).changes(cursor))
        assert (len(listed), listed[-1].complete) == (2, True)  # type: ignore[union-attr]


class TestAttachments:
    @pytest.fixture
    def connector(self, server: MailServer) -> Connector:
        sent = message("Umowa", "W załączeniu.")
        sent.add_attachment(b"%PDF umowa", maintype="application", subtype="pdf", filename="Umowa nr 1/2026 – ż.pdf")
        sent.add_attachment("Tekst zażółcony.", filename="notatka.txt", cte="base64")
        sent.add_attachment(b"PNG", maintype="image", subtype="png", filename="logo.png", disposition="inline")
        sent.add_attachment(message("Przekazana", "Wewnątrz."), filename="stara.eml")
        server.deliver(sent)
        server.deliver(message("Bez niczego", "x"))
        return open_imap(f"{server.location}INBOX", attachments="own")

    def test_are_documents_of_their_own(self, connector: Connector) -> None:
        listed = items(connector)
        names = {path.rpartition("/")[2]: item for path, item in listed.items() if "/" in path}
        assert set(names) == {"Umowa nr 1_2026 – ż.pdf", "notatka.txt", "stara.eml"}
        contents = {name: connector.fetch(item, max_bytes=9999).content for name, item in names.items()}
        assert contents["Umowa nr 1_2026 – ż.pdf"] == b"%PDF umowa"
        assert contents["notatka.txt"].decode().strip() == "Tekst zażółcony."
        assert b"Przekazana" in contents["stara.eml"]
        whole = min((path for path in listed if "/" not in path), key=lambda path: int(path.removesuffix(".eml")))
        said = connector.fetch(listed[whole], max_bytes=9999).content
        assert b"%PDF" not in said
        assert email.message_from_bytes(said, policy=policy.default).get_body().get_content() == "W załączeniu.\n"  # type: ignore[union-attr]

    def test_go_with_their_message(self, connector: Connector, server: MailServer) -> None:
        end = list(connector.changes(""))[-1]
        paths = [path for path in items(connector) if "/" not in path]
        server.mark_deleted("Umowa")
        assert removed(list(connector.changes(end.cursor))) == {min(paths, key=len)} or len(paths) == 2  # type: ignore[union-attr]


class TestConversations:
    def test_a_message_and_its_answers_are_one_document(self, server: MailServer) -> None:
        server.deliver(message("Pytanie", "Ile dni?", identifier="1@a"))
        server.deliver(message("Osobna", "Nie ta.", identifier="9@a"))
        server.deliver(message("Odp: Pytanie", "26 dni.", identifier="2@a", answers="1@a"))
        connector = open_imap(f"{server.location}INBOX", grouping="thread")
        before = items(connector)
        assert len(before) == 2
        first = next(iter(before.values()))
        said = connector.fetch(first, max_bytes=9999).content
        assert email.message_from_bytes(said)["Subject"] == "Pytanie"
        assert all(text in said.decode() for text in ("Ile dni?", "26 dni."))
        server.deliver(message("Odp: Odp: Pytanie", "Dziękuję.", identifier="3@a", answers="2@a"))
        after = items(connector)
        changed = [path for path, item in after.items() if before[path].version != item.version]
        assert changed == [first.path]
        assert "Dziękuję.".encode() in connector.fetch(after[first.path], max_bytes=9999).content


class TestRights:
    @pytest.mark.parametrize(
        ("told", "expected"),
        [
            ("", {("user", ACCOUNT)}),
            ("anna, group:Kadry i płace", {("user", "anna"), ("group", "Kadry i płace")}),
        ],
    )
    def test_those_who_are_named_read_else_the_account_alone(self, told: str, expected: set[tuple[str, str]]) -> None:
        connector = open_imap("imap://127.0.0.1/", readers=told)
        readers = connector.rights([ListedItem(path="INBOX/1.eml")])["INBOX/1.eml"] or frozenset[Principal]()
        assert {(one.kind, one.name) for one in readers} == expected


@pytest.mark.parametrize(
    "said",
    [
        [b"* BYE nie teraz\r\n"],
        [b"HTTP/1.1 400 Bad Request\r\n\r\n"],
        [b"* OK witam\r\n", b"* CAPABILITY IMAP4rev1\r\nKTAG1 OK x\r\n"],
        [b"* OK " + b"x" * 2_000_000 + b"\r\n"],
        [b"* OK witam\r\n* 1 FETCH {99999999999}\r\n"],
    ],
)
def test_what_is_no_mail_server_is_an_error_of_ours(said: list[bytes]) -> None:
    with talking(said) as port, pytest.raises(FetchError):
        list(open_imap(f"imap://127.0.0.1:{port}/").changes(""))


def test_a_server_that_is_busy_says_nothing_about_the_password() -> None:
    def answer(line: bytes) -> bytes:
        tag = line.split()[0]
        if b"CAPABILITY" in line:
            return b"* CAPABILITY IMAP4rev1\r\n" + tag + b" OK x\r\n"
        return tag + b" NO [UNAVAILABLE] x\r\n"

    with talking([b"* OK x\r\n"], answer=answer) as port, pytest.raises(FetchError) as caught:
        open_imap(f"imap://127.0.0.1:{port}/", secret="haslo").check()
    assert not isinstance(caught.value, BadReply)
    assert caught.value.retryable


def test_a_password_goes_to_no_server_of_the_internet_in_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bytes] = []

    def answer(line: bytes) -> bytes:
        heard.append(line)
        return b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n" + line.split()[0] + b" OK x\r\n"

    monkeypatch.setattr("ingestion.sources.connectors.imap.mailbox.ip_address", lambda _: ip_address("8.8.8.8"))
    with talking([b"* OK x\r\n"], answer=answer) as port, pytest.raises(FetchError) as caught:
        open_imap(f"imap://127.0.0.1:{port}/").check()
    assert caught.value.code == "not_encrypted"
    assert not any(b"LOGIN" in line or b"AUTHENTICATE" in line for line in heard)
