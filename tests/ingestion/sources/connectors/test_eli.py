"""Acts of the Sejm, at a server that is written from the description of the service."""

from datetime import date
from typing import Any

import pytest

from ingestion.sources.connectors import Connector, RemotePlace, open_connector
from ingestion.sources.connectors.eli.acts import Act
from ingestion.sources.connectors.errors import UnknownRights
from ingestion.sources.connectors.protocol import ListedItem
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import FetchError, FetchRefused, HTTPFailure
from tests.eli_server import ELIServer, act
from tests.ingestion.sources.connectors.contract import FaultContract, items
from tests.web_site import Page


def open_eli(location: str, *, networks: tuple[str, ...] = ("127.0.0.0/8",), **settings: str) -> Connector:
    place = RemotePlace(location=location, settings=settings)
    return open_connector("eli", place, AddressGuard(ports=[80, 443], networks=networks, silence=1.0))


class Journal:
    """A year of Dziennik Ustaw; an item is an act."""

    def __init__(self, server: ELIServer) -> None:
        self.server, self.port = server, server.port
        self._numbers: dict[str, int] = {}

    def put(self, path: str, content: bytes) -> None:
        number = self._numbers.setdefault(path, len(self._numbers) + 1)
        self.server.publish(act(f"DU/2024/{number}", title=path), text=content)

    def take_away(self, path: str) -> None:
        self.server.withdraw(f"DU/2024/{self._numbers[path]}")

    def connect(
        self, *, secret: str | None = None, port: int | None = None, networks: tuple[str, ...] = ("127.0.0.0/8",)
    ) -> Connector:
        return open_eli(f"http://127.0.0.1:{port or self.port}/eli/acts/DU/2024", networks=networks)


@pytest.fixture
def server() -> Any:
    with ELIServer() as opened:
        yield opened


class TestELI(FaultContract):
    step = 6000
    # The service has no accounts.
    test_an_account_that_is_refused_is_told_so_and_not_tried_again = None  # type: ignore[assignment]

    @pytest.fixture
    def shelf(self, server: ELIServer) -> Journal:
        return Journal(server)


class TestListing:
    @pytest.fixture
    def acts(self, server: ELIServer) -> str:
        """Their location."""
        for address in ("DU/2023/7", "DU/2024/1", "DU/2024/2", "MP/2024/1"):
            server.publish(act(address, title=f"Ustawa o podatku, {address}"))
        server.publish(act("DU/2024/3", title="Ustawa o lasach"))
        server.publish(act("DU/2024/4", textPDF=False, textHTML=False))
        return f"{server.url}/eli/acts"

    def test_of_a_year_a_publisher_and_all(self, acts: str) -> None:
        year = items(open_eli(f"{acts}/DU/2024/"))
        assert set(year) == {f"{number}/text.pdf" for number in (1, 2, 3)}
        assert set(items(open_eli(f"{acts}/DU"))) == {"2023/7/text.pdf", *(f"2024/{path}" for path in year)}
        assert len(items(open_eli(acts))) == 5

    def test_by_words_of_the_title_and_by_address(self, acts: str) -> None:
        assert set(items(open_eli(f"{acts}/DU", title="PODATKU ustawa"))) == {
            "2023/7/text.pdf", "2024/1/text.pdf", "2024/2/text.pdf",
        }  # fmt: skip
        assert set(items(open_eli(acts, acts="DU/2024/1, MP/2024/1"))) == {"DU/2024/1/text.pdf", "MP/2024/1/text.pdf"}

    def test_pages_follow_each_other_and_one_that_comes_twice_ends_it(self, server: ELIServer, acts: str) -> None:
        server.page_items = 2
        assert len(items(open_eli(f"{acts}/DU/2024"))) == 3
        server.repeats = True
        with pytest.raises(FetchError):
            list(open_eli(f"{acts}/DU/2024").changes(""))

    @pytest.mark.parametrize("path", ["", "/eli", "/eli/acts/DU/2024/1", "/eli/acts/search?title=x", "/eli/actsx"])
    def test_an_address_of_anything_else_is_refused(self, path: str) -> None:
        with pytest.raises(FetchRefused):
            open_eli(f"https://api.sejm.gov.pl{path}")


class TestReading:
    def test_the_text_with_its_changes_or_as_it_was_announced(self, server: ELIServer) -> None:
        texts = [{"fileName": "D1.pdf", "type": "O"}, {"fileName": "D1Lj.pdf", "type": "U"}]
        server.publish(act("DU/2024/1", texts=texts, textHTML=True), text=b"ogloszony", D1Lj=b"jednolity")
        place = f"{server.url}/eli/acts/DU/2024"
        read = {}
        for wording in ("", "announced"):
            connector = open_eli(place, wording=wording)
            (listed,) = items(connector).values()
            content = connector.fetch(listed, max_bytes=99)
            read[listed.path, content.name] = content.content
        assert read == {("1/text.pdf", "DU-2024-1.pdf"): b"jednolity", ("1/text.html", "DU-2024-1.html"): b"ogloszony"}

    def test_a_change_of_what_is_told_is_another_version(self, server: ELIServer) -> None:
        server.publish(act("DU/2024/1"))
        place = f"{server.url}/eli/acts/DU/2024"
        (before,) = items(open_eli(place)).values()
        server.publish(act("DU/2024/1", changeDate="2026-05-01T10:00:00", repealDate="2026-06-01"))
        (after,) = items(open_eli(place)).values()
        read = open_eli(place).fetch(after, max_bytes=999)
        assert before.version != after.version == read.version
        assert read.told is not None
        assert read.told.valid_to == date(2026, 5, 31)


def told(**fields: Any) -> tuple[date | None, date | None]:
    described = Act.model_validate(act("DU/2024/1", **fields)).told
    return described.valid_from, described.valid_to


class TestValidity:
    def test_is_from_the_entry_into_force_to_the_day_before_the_end(self) -> None:
        assert told(entryIntoForce="2024-03-01") == (date(2024, 3, 1), None)
        assert told(entryIntoForce=None, validFrom="2024-03-02") == (date(2024, 3, 2), None)
        ended = {"entryIntoForce": "2024-03-01", "repealDate": "2025-01-01", "expirationDate": "2025-02-01"}
        assert told(**ended) == (date(2024, 3, 1), date(2024, 12, 31))

    def test_of_what_ended_nobody_says_when_it_is_the_last_change(self) -> None:
        ended = {"entryIntoForce": "2024-03-01", "inForce": "NOT_IN_FORCE", "changeDate": "2025-03-05T08:00:00"}
        assert told(**ended) == (date(2024, 3, 1), date(2025, 3, 4))

    def test_what_was_repealed_before_it_began_has_no_beginning(self) -> None:
        assert told(entryIntoForce="2025-01-01", repealDate="2024-06-01") == (None, date(2024, 5, 31))

    def test_what_changed_it_stands_in_the_metadata(self) -> None:
        references = {"Akty zmieniające": [{"id": "DU/2024/9", "date": "2024-07-01"}, {"id": "DU/2025/1"}]}
        described = Act.model_validate(act("DU/2024/1", references=references)).told
        assert described.metadata["changed_by"] == "DU/2024/9 (2024-07-01), DU/2025/1"
        assert (described.metadata["eli"], described.metadata["status"]) == ("DU/2024/1", "obowiązujący")


@pytest.mark.parametrize("body", ["", "[]", '{"items": [{"ELI": "../x", "title": "x"}]}', '{"items": 5}', "<html>"])
def test_what_is_no_list_of_acts_is_an_error(server: ELIServer, body: str) -> None:
    server.says = Page(body, media_type="application/json")
    with pytest.raises(FetchError):
        list(open_eli(f"{server.url}/eli/acts/DU/2024").changes(""))


def test_a_busy_service_says_when_to_come_again(server: ELIServer) -> None:
    server.says = Page(status=429, headers={"Retry-After": "9"})
    with pytest.raises(HTTPFailure) as caught:
        open_eli(f"{server.url}/eli/acts/DU/2024").check()
    assert (caught.value.retryable, caught.value.retry_after) == (True, 9.0)


def test_acts_have_no_readers_of_their_own() -> None:
    with pytest.raises(UnknownRights):
        open_eli("https://api.sejm.gov.pl/eli/acts").rights([ListedItem(path="x")])
