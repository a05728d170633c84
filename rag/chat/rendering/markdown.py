"""Markdown as safe HTML: raw HTML shows as text, images as their description; nh3 has the last word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from rag.chat.rendering.sentinels import (
    HIT_END,
    HIT_START,
    MARK_END,
    MARK_START,
    PAGE_END,
    PAGE_START,
    without_sentinels,
)
from rag.chat.rendering.typography import typeset

_BLOCKS = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr", "br"}
_INLINE = {"em", "strong", "s", "code"}
_TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
_CITATION = re.compile(r"\[(\d{1,3})\]")
_PAGE = re.compile(f"{PAGE_START}\\d+{PAGE_END}")
_SENTINELS = re.compile(f"[{MARK_START}{MARK_END}{HIT_START}{HIT_END}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int
    anchor: str
    text: str


def document_html(source: str, *, title: str = "") -> tuple[str, list[Heading]]:
    """The HTML of a document's text and its outline.

    Headings go down one level, because the page's own h1 is the title; one that repeats `title` gets a class.
    """
    parser = _document_parser()
    environment: EnvType = {}
    tokens = parser.parse(source, environment)
    outline = _anchor_headings(tokens, title)
    return sanitised_document(parser.renderer.render(tokens, parser.options, environment)), outline


def sanitised_document(html: str) -> str:
    headings = {f"h{level}": {"id", "class"} for level in range(2, 7)}
    return nh3.clean(
        html,
        tags=_BLOCKS | _INLINE | _TABLES | {"a"},
        attributes={"a": {"href"}, "ol": {"start"}, **headings},
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )


def answer_html(source: str) -> str:
    """The HTML of an answer without links; for each `[n]` it has n between sentinels, for chips to come."""
    html = _answer_parser().render(without_sentinels(source))
    return typeset(nh3.clean(html, tags=_BLOCKS | _INLINE | _TABLES, attributes={"ol": {"start"}}))


@lru_cache(maxsize=1)
def _document_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    parser.add_render_rule("image", _description)
    return parser


@lru_cache(maxsize=1)
def _answer_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.disable(["html_block", "html_inline", "reference", "autolink"])
    parser.add_render_rule("image", _description)
    parser.inline.ruler.before("link", "citation", _citation)
    return parser


def _description(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return nh3.clean_text(renderer.renderInlineAsText(tokens[index].children or [], options, env))


def _citation(state: StateInline, silent: bool) -> bool:
    match = _CITATION.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        token = state.push("text", "", 0)
        token.content = f"{PAGE_START}{match[1]}{PAGE_END}"
    state.pos = match.end()
    return True


def _anchor_headings(tokens: Sequence[Token], title: str) -> list[Heading]:
    outline: list[Heading] = []
    for index, token in enumerate(tokens):
        if token.type not in {"heading_open", "heading_close"}:
            continue
        level, token.tag = int(token.tag[1]), _lower(token.tag)
        if token.type == "heading_close":
            continue
        text = _plain(tokens[index + 1])
        if not outline and text.casefold() == title.casefold():
            token.attrSet("class", "repeats-title")
            continue
        outline.append(Heading(level=level, anchor=f"naglowek-{len(outline) + 1}", text=text))
        token.attrSet("id", outline[-1].anchor)
    return outline


def _plain(inline: Token) -> str:
    """The text of a heading; sentinels are no part of it."""
    shown = (child.content if child.content else " " for child in inline.children or [])
    return " ".join(_SENTINELS.sub("", _PAGE.sub("", "".join(shown))).split())


def _lower(tag: str) -> str:
    return f"h{min(int(tag[1]) + 1, 6)}"
