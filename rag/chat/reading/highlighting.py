"""A document's text as HTML, with the cited characters in `<mark>` and the pages told apart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from rag.chat.rendering.markdown import Heading, document_html
from rag.chat.rendering.sentinels import (
    HIT_END,
    HIT_START,
    MARK_END,
    MARK_START,
    PAGE_END,
    PAGE_START,
    place,
)

# No ">" stands inside attributes: only href, id, class and start survive, and hrefs are percent-encoded.
_TAG = re.compile(r"(<[^>]*>)")
_PAGE = re.compile(f"{PAGE_START}(\\d+){PAGE_END}")
_OPENING, _CLOSING = re.compile(r"[\W_]*?([„«(\[§]+ ?)\w"), re.compile(r"\w([.,;:!?…”»)\]%]+)\s*$")
_PAGE_SPLIT = re.compile(f"({PAGE_START}\\d+{PAGE_END})")
_HIT_SPLIT = re.compile(f"(<[^>]*>|{PAGE_START}\\d+{PAGE_END}|[{HIT_START}{HIT_END}])")
_HIT_SIGNS = re.compile(f"[^{HIT_START}{HIT_END}]")
_PAGE_AT_BLOCK = re.compile(
    rf"(<(?:p|h[1-6]|blockquote|pre|table|ul|ol)(?:\s[^>]*)?>\s*(?:<[^/>][^>]*>\s*)*){_PAGE.pattern}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HighlightedText:
    html: SafeString
    outline: tuple[Heading, ...] = ()
    marked: bool = False


def highlight(
    text: str,
    *,
    start: int = 0,
    end: int = 0,
    pages: Sequence[tuple[int, int]] = (),
    hits: Sequence[tuple[int, int]] = (),
    first_hit: int = 1,
    markdown: bool = True,
    title: str = "",
) -> HighlightedText:
    """`text` as HTML with its characters [start, end) marked; the first mark has the id "cytat".

    `pages` are (number, first character). `hits`, in order and apart, are marked with the ids "trafienie-1" and so on,
    counted from `first_hit`. Text that is not Markdown keeps its line breaks.
    """
    source = place(text, start, end, pages, hits)
    html, outline = document_html(source, title=title) if markdown else (_paragraphs(source), [])
    if (_misplaced(html) and MARK_START in source) or _HIT_SIGNS.sub("", html) != _HIT_SIGNS.sub("", source):
        html, outline = _paragraphs(source), []
    html = _with_hits(_with_marks(_with_punctuation(html, text[start:end])), first_hit)
    return HighlightedText(html=mark_safe(_with_pages(html)), outline=tuple(outline), marked='<mark id="cytat"' in html)


def _with_punctuation(html: str, quote: str) -> str:
    """The sentinels stand at letters; here they take in quotation marks and full stops of `quote`."""
    opening, closing = _OPENING.match(quote), _CLOSING.search(quote)
    if opening and html.find(opening[1] + MARK_START) >= 0:
        html = html.replace(opening[1] + MARK_START, MARK_START + opening[1], 1)
    if closing and html.find(MARK_END + closing[1]) >= 0:
        html = html.replace(MARK_END + closing[1], closing[1] + MARK_END, 1)
    return html


def _misplaced(html: str) -> bool:
    """Rendering lost a sentinel, which a link definition can do: exactness goes before looks then."""
    begin, close = html.find(MARK_START), html.find(MARK_END)
    return not 0 <= begin < close


def _paragraphs(source: str) -> str:
    blocks = (block.strip("\n") for block in re.split(r"\n\s*\n", source))
    return "\n".join(f'<p class="as-written">{escape(block)}</p>' for block in blocks if block.strip())


def _with_marks(html: str) -> str:
    before, opened, rest = html.partition(MARK_START)
    inside, closed, after = rest.partition(MARK_END)
    if not (opened and closed):
        return html
    parts: list[str] = []
    for piece in _TAG.split(inside):
        parts += [piece] if piece.startswith("<") else _mark_text(piece)
    return before + "".join(parts).replace("<mark>", '<mark id="cytat" tabindex="-1">', 1) + after


def _mark_text(piece: str) -> list[str]:
    """A text node in `<mark>`; page signs and the line breaks between blocks stay outside."""
    return [
        text if _PAGE.fullmatch(text) or not (text.strip() or text == " ") else f"<mark>{text}</mark>"
        for text in _PAGE_SPLIT.split(piece)
    ]


def _with_hits(html: str, first: int) -> str:
    """Hits in `<mark class="found">`, a piece for each text node; the first piece of a hit has its number as id."""
    parts: list[str] = []
    number, opened, name = first, False, ""
    for piece in _HIT_SPLIT.split(html):
        if piece == HIT_START:
            opened, name, number = True, f' id="trafienie-{number}" tabindex="-1"', number + 1
        elif piece == HIT_END:
            opened = False
        elif opened and piece.strip() and piece[0] not in ("<", PAGE_START):
            parts.append(f'<mark class="found"{name}>{piece}</mark>')
            name = ""
        else:
            parts.append(piece)
    return "".join(parts)


def _with_pages(html: str) -> str:
    html = _PAGE_AT_BLOCK.sub(lambda match: _page_sign("div", match[2]) + match[1], html)
    return _PAGE.sub(lambda match: _page_sign("span", match[1]), html)


def _page_sign(tag: str, number: str) -> str:
    label = escape(gettext("page %(number)s") % {"number": number})
    return f'<{tag} class="page-sign" id="strona-{number}">{label}</{tag}>'
