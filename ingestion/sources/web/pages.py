"""What a page says of itself and where it leads."""

from dataclasses import dataclass
from typing import Any

from ingestion.sources.addresses import normal

_MAX_LINKS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWords:
    """`canonical` is the address that the page prefers, "" where it names none; `links` are as `normal` gives them."""

    title: str = ""
    canonical: str = ""
    links: tuple[str, ...] = ()
    indexed: bool = True
    followed: bool = True


def words_of(markup: str, *, url: str) -> PageWords:
    """`url` is where the page was read. Nothing is raised: of a page that cannot be parsed nothing is known."""
    tree = _parsed(markup)
    if tree is None:
        return PageWords()
    base = normal(next(iter(tree.xpath("//base/@href")), ""), base=url) or url
    asked = " ".join(tree.xpath("//meta[translate(@name, 'ROBTS', 'robts')='robots']/@content")).lower()
    canonical = next(iter(tree.xpath("//link[translate(@rel, 'CANOIL', 'canoil')='canonical']/@href")), "")
    hrefs = tree.xpath("//a[not(contains(@rel, 'nofollow'))]/@href | //area/@href")
    links = (normal(href, base=base) for href in hrefs[:_MAX_LINKS] if not href.lstrip().startswith("#"))
    return PageWords(
        title=" ".join((tree.findtext(".//title") or "").split())[:500],
        canonical=normal(canonical, base=base) if canonical.strip() else "",
        links=tuple(dict.fromkeys(link for link in links if link)),
        indexed="noindex" not in asked and "none" not in asked,
        followed="nofollow" not in asked and "none" not in asked,
    )


def _parsed(markup: str) -> Any | None:
    from lxml import etree, html

    cleaned = markup.replace("\x00", "")
    if cleaned.lstrip().startswith("<?xml"):  # lxml refuses text that declares an encoding
        cleaned = cleaned.partition("?>")[2]
    try:
        return html.document_fromstring(cleaned, parser=html.HTMLParser(no_network=True, remove_comments=True))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None
