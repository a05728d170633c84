"""Sitemaps: lists of a site's addresses, and lists of such lists. https://www.sitemaps.org/protocol.html"""

import logging
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from ingestion.sources.addresses import normal
from knowledgetree.fetching import Fetched, Fetcher
from knowledgetree.fetching.bodies import unpacked
from knowledgetree.fetching.errors import FetchError

_MAX_FILES = 50
_MAX_ADDRESSES = 50_000
_MAX_BYTES = 50_000_000  # unpacked, as the protocol says
_TYPES = ("text/*", "application/xml", "application/gzip", "application/x-gzip", "application/octet-stream")

logger = logging.getLogger("knowledgetree.sources")


class SitemapUnreadable(FetchError):
    code = "bad_sitemap"


def sitemap_addresses(url: str, *, fetcher: Fetcher) -> Iterator[str]:
    """The addresses that the sitemap at `url` and those it lists name, each as `normal` gives it.

    Raises FetchError where the first cannot be read; the others are then left out.
    """
    waiting, seen, given = [url], {url}, 0
    while waiting and len(seen) <= _MAX_FILES:
        current = waiting.pop(0)
        try:
            pages, lists = _read(current, fetcher)
        except FetchError as error:
            if current == url:
                raise
            logger.info("sitemap left out", extra={"fields": {"code": error.code}})
            continue
        for page in pages[: _MAX_ADDRESSES - given]:
            given += 1
            yield page
        waiting += [one for one in dict.fromkeys(lists) if one not in seen]
        seen.update(lists)


def _read(url: str, fetcher: Fetcher) -> tuple[list[str], list[str]]:
    """(pages, further sitemaps)."""
    fetched = fetcher.get(url, media_types=_TYPES)
    if not isinstance(fetched, Fetched):
        return [], []
    content = fetched.content
    if content.startswith(b"\x1f\x8b"):
        content = b"".join(unpacked([content], encoding="gzip", max_bytes=_MAX_BYTES))
    if not content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):  # one address a line
        return _normal(content.decode("utf-8", errors="replace").splitlines(), url), []
    root = _parsed(content)
    found = _normal((element.text or "" for element in root.iterfind("./{*}url/{*}loc")), url)
    return found, _normal((element.text or "" for element in root.iterfind("./{*}sitemap/{*}loc")), url)


def _parsed(content: bytes) -> Any:
    """Entities are left alone, so that none of them grows, and nothing is fetched."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise SitemapUnreadable(_("The sitemap is no XML.")) from error


def _normal(addresses: Iterable[str], base: str) -> list[str]:
    return [address for text in addresses if text.strip() and (address := normal(text, base=base))]
