"""HTML: the main content as Markdown, without navigation, sidebars and footers."""

import re
from typing import Any

from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.html.html_markdown import is_hidden, markdown_of, visible_text
from ingestion.types import ExtractedText, Progress
from knowledgetree.charsets import charset_of

_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_CLUTTER_TAGS = {"nav", "footer", "aside"}
_CLUTTER_ROLES = {"navigation", "banner", "contentinfo", "search", "complementary", "dialog"}
_CLUTTER_NAMES = re.compile(
    r"(?:^|[\s_-])(?:breadcrumbs?|okruszki|cookies?|navbar|menu|sidebar|footer|stopka)(?:$|[\s_-])", re.I
)

MAX_LINK_SHARE = 0.4
"""A body with a larger share of its characters in links has no structure: trafilatura judges it."""

MIN_MAIN_SHARE = 0.25
"""A `main` or `article` with less of the visible text than this holds a teaser, not the content."""


class HtmlExtractor:
    """`main` or `article` where the page has them, otherwise the body without its clutter.

    Pages that mark nothing up and consist of links for a good part go through trafilatura. Nothing is
    fetched, no script runs, no entity beyond those of HTML is known.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("HTML"):
            tree = _parse(_decode(content))
            title, language = _title(tree), (tree.get("lang") or "").strip()[:10]
            text = clean(_main_content(tree))
        progress(1, 1)
        return ExtractedText(text=require_text(text), extractor="html", title=title, language=language)


def _decode(content: bytes) -> str:
    text = clean(content.decode(charset_of(content), errors="replace"))
    return _XML_DECLARATION.sub("", text)  # lxml refuses text that declares an encoding


def _parse(markup: str) -> Any:
    from lxml import html

    if not markup.strip():
        markup = "<html></html>"
    parser = html.HTMLParser(no_network=True, remove_comments=True, remove_pis=True)
    return html.document_fromstring(markup, parser=parser, ensure_head_body=True)


def _title(tree: Any) -> str:
    """The only `h1`, otherwise the `title` element, which often names the site as well."""
    headings = [text for one in tree.iter("h1") if (text := visible_text(one))]
    return headings[0] if len(headings) == 1 else " ".join((tree.findtext(".//title") or "").split())


def _main_content(tree: Any) -> str:
    body = tree.find("body")
    region = _marked_region(body)
    if region is not None:
        return markdown_of(_without_clutter(region))
    from lxml import html

    original = html.tostring(tree, encoding="unicode")
    markdown = markdown_of(_without_clutter(body))
    if _link_share(body) <= MAX_LINK_SHARE:
        return markdown
    return _judged_by_trafilatura(original) or markdown


def _marked_region(body: Any) -> Any | None:
    """What the page itself declares to be its content, None without it or with several articles."""
    articles = list(body.iter("article"))
    marked = [
        *body.iter("main"),
        *body.xpath(".//*[@role='main']"),
        *(articles if len(articles) == 1 else []),
    ]
    least = MIN_MAIN_SHARE * len(visible_text(body))
    return next((one for one in marked if len(visible_text(one)) >= least), None)


def _without_clutter(region: Any) -> Any:
    """`region` after the removal of what repeats on every page of a site."""
    for element in [one for one in region.iterdescendants() if _is_clutter(one, region)]:
        if element.getparent() is not None:
            element.drop_tree()
    return region


def _is_clutter(element: Any, region: Any) -> bool:
    if is_hidden(element):
        return False  # left out anyway
    if element.tag in _CLUTTER_TAGS or element.get("role") in _CLUTTER_ROLES:
        return True
    if element.tag == "header":  # of the page; the one of an article holds its title
        return region.tag == "body" and element.getparent() is region
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return element.tag in ("div", "ul", "ol", "p", "section") and _CLUTTER_NAMES.search(names) is not None


def _link_share(body: Any) -> float:
    linked = sum(len(visible_text(link)) for link in body.iter("a"))
    return linked / max(len(visible_text(body)), 1)


def _judged_by_trafilatura(markup: str) -> str:
    import trafilatura

    found = trafilatura.extract(
        markup, output_format="markdown", include_comments=False, include_tables=True, favor_recall=True
    )
    return found or ""
