"""A chunk that an editor changed: what it says now beside what the document says there."""

import re
from dataclasses import dataclass, replace

from django.utils.safestring import mark_safe

from rag.chat.reading.highlighting import HighlightedText, highlight
from rag.selectors.corrections import EditedPassage

_ANCHORS = re.compile(r' id="naglowek-\d+"')


@dataclass(frozen=True, slots=True, kw_only=True)
class BothTexts:
    """The editor's text, what was cited marked in it, and the document's own."""

    edited: HighlightedText
    own: HighlightedText


def both_texts(correction: EditedPassage, own: str, *, markdown: bool) -> BothTexts:
    """`own` is the document's text, as this reader sees it."""
    edited = highlight(correction.text, start=correction.cited_start, end=correction.cited_end, markdown=markdown)
    return BothTexts(
        edited=_without_anchors(edited),
        own=_without_anchors(highlight(own[correction.start : correction.end], markdown=markdown)),
    )


def place_marked(text: HighlightedText) -> HighlightedText:
    """The document's text whose mark is the place of a correction: the anchor of the citation is in the editor's."""
    html = text.html.replace("<mark>", '<mark class="place">').replace(
        '<mark id="cytat"', '<mark class="place" id="miejsce"'
    )
    return replace(text, html=mark_safe(html))


def _without_anchors(text: HighlightedText) -> HighlightedText:
    """The headings of the whole document have the same."""
    return replace(text, html=mark_safe(_ANCHORS.sub("", text.html)))
