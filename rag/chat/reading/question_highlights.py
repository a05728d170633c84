"""The words of the question that a reader came from, marked in the document around what was cited."""

import re
from dataclasses import replace
from uuid import UUID

from django.http import HttpRequest
from django.utils.safestring import mark_safe

from rag.chat.reading.highlighting import HighlightedText
from rag.chat.rendering.question_words import marked_words, question_words
from rag.models import Exchange
from rag.selectors import conversations_of

_REACH = 20_000  # characters before and after: words that are new to the analyser cost milliseconds a page
# What is no running text: signs of pages, tags, entities.
_APART = re.compile(r'(<(?:div|span) class="page-sign"[^>]*>[^<]*</(?:div|span)>|<[^>]*>|&#?\w+;)')


def asked_words(request: HttpRequest) -> frozenset[str]:
    """The words of the reader's own exchange that the parameter `exchange` names; empty where it names none."""
    try:
        key = UUID(request.GET.get("exchange", ""))
    except ValueError:
        return frozenset()
    own = conversations_of(request.user, request.session.session_key or "")
    exchange = Exchange.objects.filter(pk=key, conversation__in=own).first()
    if exchange is None:
        return frozenset()
    return question_words(exchange.question, exchange.searched, *(item["searched"] for item in exchange.corrections))


def with_words(text: HighlightedText, words: frozenset[str]) -> HighlightedText:
    """`text` with `words`, in any inflection, in `<mark class="hit">` near its citation, or its beginning."""
    if not words:
        return text
    html = str(text.html)
    at = max(0, html.find('<mark id="cytat"'))
    begin = max(0, html.rfind("<", 0, max(0, at - _REACH)))
    close = html.find("<", at + _REACH)
    close = close if close >= 0 else len(html)
    pieces = (
        piece if piece.startswith(("<", "&")) else marked_words(piece, words, rest=str)
        for piece in _APART.split(html[begin:close])
    )
    return replace(text, html=mark_safe(html[:begin] + "".join(pieces) + html[close:]))
