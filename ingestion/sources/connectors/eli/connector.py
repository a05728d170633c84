"""The ELI service of the Sejm: acts are listed year by year, and read where what is told of them has changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import httpx
from django.utils.translation import gettext as _
from pydantic import BaseModel, TypeAdapter, ValidationError

from ingestion.sources.connectors.eli.acts import Act, ListedAct, ListedActs
from ingestion.sources.connectors.errors import ItemVanished, UnknownRights, http_error, item_too_large
from ingestion.sources.connectors.protocol import Change, ItemContent, ListedItem, ListingEnd, RemotePlace
from ingestion.sources.types import Principals
from knowledgetree.fetching import AddressGuard
from knowledgetree.fetching.errors import BadReply, FetchRefused
from knowledgetree.fetching.fetcher import USER_AGENT
from knowledgetree.fetching.transport import GuardedTransport

_MAX_REPLY: Final = 200_000_000  # bytes of a list; texts are bound by who fetches them
_ACTS: Final = "/acts"
_TEXTS: Final = ("text.pdf", "text.html")


class _Publisher(BaseModel):
    years: list[int]


class _PublisherCode(BaseModel):
    code: str


class ELIConnector:
    """The acts of a publisher and a year, of all years, or those that are named: `DU/2018/1000/text.pdf`.

    A location is `…/eli/acts`, with a publisher and a year below it or without.
    """

    def __init__(self, place: RemotePlace, guard: AddressGuard) -> None:
        before, found, scope = place.location.rstrip("/").partition(_ACTS)
        if not found or scope.count("/") > 2 or (scope and not scope.startswith("/")) or "?" in scope:
            raise FetchRefused(
                _("This is no address of this kind."),
                remedy=_("Write it as here: %(example)s") % {"example": "https://api.sejm.gov.pl/eli/acts/DU/2024"},
            )
        self._acts, self._scope = f"{before}{_ACTS}", [part for part in scope.split("/") if part]
        self._named = [one.strip() for one in place.settings.get("acts", "").split(",") if one.strip()]
        self._words = place.settings.get("title", "").casefold().split()
        self._announced = place.settings.get("wording", "") == "announced"
        self._http = httpx.Client(
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity"},
            transport=GuardedTransport(guard, max_bytes=_MAX_REPLY),
            trust_env=False,
        )

    def check(self) -> None:
        self._json("/".join(["", *self._scope]), Any)

    def changes(self, cursor: str) -> Iterator[Change]:
        for act in self._named_acts() if self._named else self._all_acts():
            if (act.has_pdf or act.has_html) and all(word in act.title.casefold() for word in self._words):
                yield ListedItem(path=f"{self._below(act.address)}/{self._text(act)}", version=act.changed)
        yield ListingEnd(complete=True)

    def fetch(self, item: ListedItem, *, max_bytes: int) -> ItemContent:
        address, _slash, text = "/".join([*self._scope, item.path]).rpartition("/")
        if text not in _TEXTS:
            raise ItemVanished(_("The server has no such file."))
        act = self._json(f"/{address}", Act)
        unified = "" if self._announced else act.unified
        path = f"text/U/{quote(unified, safe='')}" if unified else text
        content = self._read(f"{self._acts}/{address}/{path}", max_bytes)
        name = f"{address.replace('/', '-')}{'.pdf' if unified else text.removeprefix('text')}"
        return ItemContent(content=content, version=act.changed, name=name, told=act.told)

    def rights(self, items: Sequence[ListedItem]) -> Mapping[str, Principals | None]:
        raise UnknownRights(_("Acts are public: the service tells no readers."))

    def _named_acts(self) -> Iterator[ListedAct]:
        for address in dict.fromkeys(self._named):
            if address.split("/")[: len(self._scope)] == self._scope:
                yield self._json(f"/{quote(address)}", Act)

    def _all_acts(self) -> Iterator[ListedAct]:
        """Each once: a service that gives a page twice is not asked for ever."""
        publishers = self._scope[:1] or [one.code for one in self._json("", list[_PublisherCode])]
        for publisher in publishers:
            years = self._scope[1:] or sorted(self._json(f"/{publisher}", _Publisher).years)
            for year in years:
                yield from self._year(f"/{publisher}/{year}")

    def _year(self, path: str) -> Iterator[ListedAct]:
        listed: set[str] = set()
        while True:
            page = self._json(f"{path}?offset={len(listed)}" if listed else path, ListedActs)
            new = [one for one in page.items if one.address not in listed]
            yield from new
            listed |= {one.address for one in new}
            if len(listed) >= page.total:
                return
            if not new:
                raise BadReply(_("The service lists fewer acts than it says."))

    def _text(self, act: ListedAct) -> str:
        """The HTML is that of the day of the announcement; a text with its changes is a PDF."""
        return "text.html" if act.has_html and (self._announced or not act.has_pdf) else "text.pdf"

    def _below(self, address: str) -> str:
        return "/".join(address.split("/")[len(self._scope) :])

    def _json(self, path: str, shape: Any) -> Any:
        reply = self._http.get(f"{self._acts}{path}", headers={"Accept": "application/json"})
        if not reply.is_success:
            raise http_error(reply.status_code, retry_after=reply.headers.get("retry-after", ""))
        try:
            return TypeAdapter(shape).validate_json(reply.content)
        except ValidationError as error:
            raise BadReply(_("The server does not answer as the ELI service does.")) from error

    def _read(self, url: str, max_bytes: int) -> bytes:
        with self._http.stream("GET", url) as reply:
            if not reply.is_success:
                raise http_error(reply.status_code, retry_after=reply.headers.get("retry-after", ""))
            content = bytearray()
            for piece in reply.iter_raw():
                content += piece
                if len(content) > max_bytes:
                    raise item_too_large(max_bytes)
        return bytes(content)
