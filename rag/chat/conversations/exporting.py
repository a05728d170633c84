"""A conversation as a text to keep: Markdown for people, data for programs.

The Markdown can be rendered by anything: what documents say is text in it, no HTML, link or image. In the data texts
are as they are.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from ingestion.text.diacritics import fold
from rag.chat.rendering.plain_markdown import without_markup
from rag.chat.tags import location
from rag.models import Conversation
from rag.selectors import ShownExchange
from rag.types import Citation

_LONGEST_NAME = 60

Absolute = Callable[[str], str]
"""From a path to the address that works outside the page."""


def as_markdown(conversation: Conversation, shown: Iterable[ShownExchange], absolute: Absolute) -> str:
    """Each question with its answer and sources; an answer that the reader no longer sees is only mentioned."""
    lines = [f"# {_one_line(conversation.title)}", "", date_format(timezone.localtime(conversation.created)), ""]
    for one in shown:
        lines.extend(exchange_lines(one, absolute))
    return "\n".join(lines).rstrip() + "\n"


def exchange_lines(one: ShownExchange, absolute: Absolute) -> Iterator[str]:
    exchange = one.exchange
    asked = date_format(timezone.localtime(exchange.created), "DATETIME_FORMAT")
    yield from (f"## {_one_line(exchange.question)}", "", f"*{asked}*", "")
    if one.hidden:
        yield from ("> " + _("This answer is left out: it rests on documents that you can no longer read."), "")
        return
    answer = without_markup(exchange.answer.strip())
    yield from (answer if exchange.outcome != "not_found" else answer or _("Not found in the sources."), "")
    if one.citations:
        yield from (f"### {_('Sources')}", "")
        for citation in one.citations:
            yield _source_line(citation, absolute)
        yield ""


def as_data(conversation: Conversation, shown: Iterable[ShownExchange], absolute: Absolute) -> dict[str, Any]:
    return {
        "id": str(conversation.pk),
        "title": conversation.title,
        "created": conversation.created.isoformat(),
        "exchanges": [_exchange_data(one, absolute) for one in shown],
    }


def file_name(title: str, ending: str) -> str:
    """ASCII alone, which every system takes: "Żółte kartki?" as `zolte-kartki.md`."""
    name = slugify(fold(title))[:_LONGEST_NAME].strip("-")
    return f"{name or 'rozmowa'}.{ending}"


def _exchange_data(one: ShownExchange, absolute: Absolute) -> dict[str, Any]:
    exchange = one.exchange
    return {
        "id": str(exchange.pk),
        "question": exchange.question,
        "asked": exchange.created.isoformat(),
        "hidden": one.hidden,
        "outcome": "" if one.hidden else exchange.outcome,
        "answer": "" if one.hidden else exchange.answer,
        "sources": [_source_data(citation, absolute) for citation in one.citations],
    }


def _source_data(citation: Citation, absolute: Absolute) -> dict[str, Any]:
    return {
        "number": citation.number,
        "title": citation.title,
        "place": place_in_words(citation),
        "quote": citation.quote,
        "uri": citation.uri,
        "url": absolute(citation.url) if citation.url else "",
    }


def _source_line(citation: Citation, absolute: Absolute) -> str:
    address = absolute(citation.url) if citation.url else _("no longer in the knowledge base")
    return f"- [{citation.number}] {_one_line(citation.title)}, {place_in_words(citation)}: {address}"


def place_in_words(citation: Citation) -> str:
    headings = [_one_line(heading) for heading in citation.heading_path]
    return " · ".join(filter(None, [" › ".join(headings), location(citation)]))


def _one_line(text: str) -> str:
    return without_markup(" ".join(text.split()))
