"""Confluence on this machine, written from the description of its REST API."""

import base64
import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.web_site import Page, Request, WebSite

ACCOUNT, TOKEN = "baza@example.pl", "tajny token"


class ConfluenceServer(WebSite):
    """`clouded`: pages of lists are asked for by a cursor, as in the cloud, not by a number. `says` is given to
    everything instead; `between` is called after each page of a list.
    """

    def __init__(self) -> None:
        self.contents: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}
        self.spaces = {"KADRY"}
        self.clouded = False
        self.says: Page | None = None
        self.between = lambda: None
        super().__init__()

    @property
    def location(self) -> str:
        return f"{self.url}/wiki/"

    def write(
        self, number: int, title: str, text: str, *, space: str = "KADRY", below: Sequence[int] = (),
        users: Sequence[str] = (), groups: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """A page, or the next version of it; `users` (by e-mail) and `groups` are those whom it is restricted to."""
        self.spaces.add(space)
        people = {"results": [{"type": "known", "email": one, "accountId": "5:x"} for one in users]}
        named = {"results": [{"type": "group", "name": one} for one in groups]}
        self.contents[str(number)] = {
            "id": str(number), "type": "page", "status": "current", "title": title, "space": {"key": space},
            "version": {"number": self._next(str(number))}, "ancestors": [{"id": str(one)} for one in below],
            "restrictions": {"read": {"operation": "read", "restrictions": {"user": people, "group": named}}},
            "body": {"view": {"value": text, "representation": "view"}}, "extensions": {"position": 3},
        }  # fmt: skip

    def attach(self, page: int, name: str, content: bytes) -> None:
        there = [key for key, one in self.contents.items() if (one["title"], one["type"]) == (name, "attachment")]
        number = there[0] if there else f"att{900 + len(self.contents)}"
        self.contents[number] = {
            "id": number, "type": "attachment", "title": name, "version": {"number": self._next(number)},
            "space": {"key": "KADRY"}, "container": {"id": str(page)}, "extensions": {"fileSize": len(content)},
        }  # fmt: skip
        self.files[f"download/attachments/{page}/{name}"] = content

    def delete(self, title: str) -> None:
        self.contents = {key: one for key, one in self.contents.items() if one["title"] != title}
        self.files = {path: content for path, content in self.files.items() if not path.endswith(f"/{title}")}

    def _next(self, number: str) -> int:
        return int(self.contents[number]["version"]["number"]) + 1 if number in self.contents else 1

    def answer(self, request: Request) -> Page:
        """Each connection ends with its reply, and says so: clients would ask again on it."""
        self.requests.append(request)
        page = self._page(request)
        page.headers = {**page.headers, "Connection": "close"}
        return page

    def _page(self, request: Request) -> Page:
        basic = base64.b64encode(f"{ACCOUNT}:{TOKEN}".encode()).decode()
        if request.headers["Authorization"] not in {f"Basic {basic}", f"Bearer {TOKEN}"}:
            return Page(status=401)
        if self.says:
            return self.says
        parts = urlsplit(request.path)
        path = unquote(parts.path).removeprefix("/wiki/")
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if path in self.files:
            return Page(self.files[path], media_type="application/octet-stream")
        if path == "rest/api/content/search":
            return Page(json.dumps(self._searched(query)), media_type="application/json")
        if path == "rest/api/search":
            key = re.findall(r'"([^"]+)"', query["cql"])[0]
            return Page(json.dumps({"results": [{"space": {"key": key}}] if key in self.spaces else []}))
        return Page(status=404)

    def _searched(self, query: dict[str, str]) -> dict[str, Any]:
        found = list(self.contents.values())
        if number := re.fullmatch(r"id = (\d+)", query["cql"]):
            found = [one for one in found if one["id"] == number[1]]
        if spaces := re.search(r"space in \(([^)]*)\)", query["cql"]):
            found = [one for one in found if one["space"]["key"] in spaces[1].replace('"', "").split(", ")]
        wanted = query["expand"].split(",")
        first, limit = int(query.get("cursor", "") or query.get("start", "0")), int(query["limit"])
        results = [
            {name: value for name, value in one.items() if name != "body" or "body.view" in wanted}
            for one in found[first : first + limit]
        ]
        more = first + limit < len(found)
        after = f"cursor={first + limit}" if self.clouded else f"start={first + limit}"
        links = {"base": self.location, **({"next": f"/rest/api/content/search?{after}&limit={limit}"} if more else {})}
        if limit > 1:
            self.between()
        return {"results": results, "start": first, "limit": limit, "size": len(results), "_links": links}
