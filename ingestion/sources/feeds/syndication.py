"""RSS and Atom by feedparser, told as JSON Feed 1.1 tells the same things."""

import html
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from xml.sax import SAXException

from django.utils.translation import gettext as _

from ingestion.sources.connectors.errors import PackageMissing
from knowledgetree.fetching.errors import BadReply

_MARKS: Final = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"
_TAG = re.compile(r"<[^>]*>")


def is_markup(content: bytes) -> bool:
    return content.lstrip(_MARKS).startswith(b"<")


def json_feed_of(content: bytes, *, url: str, charset: str = "") -> tuple[Mapping[str, Any], bool]:
    """(the feed, whether it is well-formed). What is not is read as far as it goes, and then it lists not everything.

    Raises BadReply for what is no feed, PackageMissing.
    """
    try:
        import feedparser
    except ImportError as error:
        raise PackageMissing(_("The package %(name)s is missing.") % {"name": "feedparser"}) from error
    # In a file object: bytes it would take for the name of a file of this machine, text for an address to fetch.
    headers = {"content-location": url, "content-type": f"text/xml; charset={charset}" if charset else "text/xml"}
    told = feedparser.parse(io.BytesIO(content), response_headers=headers, sanitize_html=True)
    if not told.version:
        raise BadReply(_("The feed is neither RSS nor Atom nor JSON."))
    links = told.feed.get("links", ())
    following = next((one.get("href", "") for one in links if one.get("rel") == "next"), "")
    entries = [dict(_entry(one)) for one in told.entries]
    return {"items": entries, "next_url": following}, not isinstance(told.get("bozo_exception"), SAXException)


def _entry(told: Any) -> Iterator[tuple[str, Any]]:
    yield "id", told.get("id", "")
    yield "url", told.get("link", "")
    yield "title", _plain(told.get("title_detail") or {})
    yield "date_modified", told["updated"] if "updated" in told else told.get("published", "")
    longest = max([*told.get("content", ()), told.get("summary_detail") or {}], key=_length)
    name = "content_text" if longest.get("type") == "text/plain" else "content_html"
    yield name, longest.get("value", "")
    files = [{"url": one.get("href", ""), "mime_type": one.get("type", "")} for one in told.get("enclosures", ())]
    yield "attachments", files


def _length(detail: Mapping[str, Any]) -> int:
    return len(detail.get("value", ""))


def _plain(detail: Mapping[str, Any]) -> str:
    value = str(detail.get("value", ""))
    return value if detail.get("type") == "text/plain" else html.unescape(_TAG.sub("", value))
