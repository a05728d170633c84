"""The ELI service of the Sejm on this machine, written from its description (https://api.sejm.gov.pl/eli/openapi/)."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.web_site import Page, Request, WebSite

_LISTED = ("ELI", "title", "status", "type", "year", "pos", "publisher", "changeDate", "textHTML", "textPDF")


def act(address: str, **fields: Any) -> dict[str, Any]:
    """What the service tells of an act; `fields` instead of the usual ones."""
    publisher, year, number = address.split("/")
    return {
        "ELI": address, "publisher": publisher, "year": int(year), "pos": int(number), "type": "Ustawa",
        "title": f"Ustawa {address}", "status": "obowiązujący", "inForce": "IN_FORCE",
        "displayAddress": f"Dz.U. {year} poz. {number}", "announcementDate": f"{year}-01-10",
        "promulgation": f"{year}-01-20", "entryIntoForce": f"{year}-02-01", "validFrom": None, "repealDate": None,
        "expirationDate": None, "changeDate": f"{year}-02-02T11:20:03", "textHTML": False, "textPDF": True,
        "texts": [{"fileName": "D.pdf", "type": "O"}], "references": {}, **fields,
    }  # fmt: skip


class ELIServer(WebSite):
    """`page_items`: acts of a page; with `repeats` all pages are the first. `says` is given to everything instead."""

    def __init__(self) -> None:
        self.acts: dict[str, dict[str, Any]] = {}
        self._texts: dict[str, bytes] = {}
        self.page_items, self.repeats = 5000, False
        self.says: Page | None = None
        super().__init__()

    def publish(self, told: dict[str, Any], *, text: bytes = b"%PDF", **unified: bytes) -> None:
        """`unified` has texts with changes, by the name of the file without its `.pdf`."""
        address = told["ELI"]
        self.acts[address] = told
        self._texts |= {f"{address}/text.pdf": text, f"{address}/text.html": text}
        self._texts |= {f"{address}/text/U/{name}.pdf": content for name, content in unified.items()}

    def withdraw(self, address: str) -> None:
        del self.acts[address]
        self._texts = {path: text for path, text in self._texts.items() if not path.startswith(f"{address}/")}

    def answer(self, request: Request) -> Page:
        """Each connection ends with its reply, and says so: clients would ask again on it."""
        self.requests.append(request)
        page = self._page(request)
        page.headers = {**page.headers, "Connection": "close"}
        return page

    def _page(self, request: Request) -> Page:
        if self.says:
            return self.says
        parts = urlsplit(request.path)
        path = unquote(parts.path).removeprefix("/eli/acts").strip("/")
        if path in self._texts:
            return Page(self._texts[path], media_type="application/octet-stream")
        if (told := self._told(path, parse_qs(parts.query))) is None:
            return Page(status=404)
        return Page(json.dumps(told), media_type="application/json")

    def _told(self, path: str, query: Mapping[str, list[str]]) -> Any:
        if path in self.acts:
            return self.acts[path]
        depth = path.count("/") + 1 if path else 0
        below = [one for one in self.acts.values() if not path or one["ELI"].startswith(f"{path}/")]
        if depth == 0:
            return [{"code": code} for code in sorted({one["publisher"] for one in below})]
        if depth == 1:
            return {"code": path, "years": sorted({one["year"] for one in below})}
        if depth > 2:
            return None
        first = 0 if self.repeats else int(query.get("offset", ["0"])[0])
        page = below[first : first + self.page_items]
        listed = [{name: one[name] for name in _LISTED} for one in page]
        return {"items": listed, "count": len(page), "offset": first, "totalCount": len(below)}
