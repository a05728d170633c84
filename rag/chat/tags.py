"""What the reader's templates say about sources."""

import re
from collections.abc import Collection
from typing import Protocol

from django import template
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ingestion.models.viewers import Viewer
from rag.chat.answering.reasons import Why, why_found
from rag.chat.rendering.question_words import marked_words
from rag.search.hits import forms_found
from rag.selectors.assistants import HELP, is_help_offered
from rag.types import Passage

register = template.Library()

_TABLE_RULE = re.compile(r"^[ \t]*\|?[ \t:|-]*-{2,}[ \t:|-]*$", re.M)
_LINE_SIGNS = re.compile(r"^[ \t]*(?:#{1,6}|[-*+>])[ \t]+", re.M)
_INLINE_SIGNS = re.compile(r"\*\*|__|`")
_CELLS = re.compile(r"[ \t]*\|[ \t]*")


class Placed(Protocol):
    @property
    def line_start(self) -> int: ...
    @property
    def line_end(self) -> int: ...
    @property
    def page_start(self) -> int | None: ...
    @property
    def page_end(self) -> int | None: ...


@register.simple_tag
def help_address(viewer: Viewer) -> str:
    """Where the program answers questions about itself; "" where it does not for `viewer`."""
    return reverse("chat:home", query={"assistant": HELP}) if is_help_offered(viewer) else ""


@register.filter
def location(source: Placed) -> str:
    """ "p. 3", "pp. 3–4", or the lines where the format has no pages."""
    if source.page_start is None:
        return _span(gettext("line %(first)s"), gettext("lines %(first)s–%(last)s"), source.line_start, source.line_end)
    last = source.page_end or source.page_start
    return _span(gettext("p. %(first)s"), gettext("pp. %(first)s–%(last)s"), source.page_start, last)


@register.filter
def location_in_full(source: Placed) -> str:
    """ "page 3, lines 12–18"; the lines are those of the text that was read from the document."""
    lines = _span(gettext("line %(first)s"), gettext("lines %(first)s–%(last)s"), source.line_start, source.line_end)
    if source.page_start is None:
        return lines
    last = source.page_end or source.page_start
    page = _span(gettext("page %(first)s"), gettext("pages %(first)s–%(last)s"), source.page_start, last)
    return f"{page}, {lines}"


def _span(one: str, many: str, first: int, last: int) -> str:
    return (one if last <= first else many) % {"first": first, "last": last}


@register.filter
def without_markup(quote: str) -> str:
    """A quote from a Markdown text in one run of words: no heading signs, stars or table rules."""
    text = _INLINE_SIGNS.sub("", _LINE_SIGNS.sub("", _TABLE_RULE.sub("", quote)))
    lines = (_CELLS.sub(" · ", line.strip().strip("|").strip()) for line in text.splitlines())
    return " ".join(line for line in lines if line)


@register.filter
def with_hits(text: str, wanted: Collection[str]) -> SafeString:
    """`text`, escaped, with the words in `<mark class="hit">` whose form or lemma is `wanted`."""
    return marked_words(text, wanted)


@register.filter
def step_in_words(kind: str) -> str:
    """What is done in a step."""
    return {
        "analysis": gettext("Understanding the question"),
        "rag_search": gettext("Searching the documents"),
        "web_search": gettext("Searching the web"),
        "document": gettext("Reading a document"),
        "calculation": gettext("Calculating"),
        "synthesis": gettext("Writing the answer"),
        "verification": gettext("Checking the answer"),
    }.get(kind, kind)


@register.filter
def seconds(milliseconds: float) -> str:
    """ "0.3 s"."""
    return f"{number_format(milliseconds / 1000, 1)} s"


@register.filter
def percent(share: float) -> int:
    return round(share * 100)


@register.filter
def why(passage: Passage) -> Why:
    """For `chat/_explanation.html`."""
    return why_found(passage)


@register.filter
def found_words(passage: Passage) -> frozenset[str]:
    """The forms by which it was found, to be marked in its text."""
    return forms_found(passage.explanation.words)
