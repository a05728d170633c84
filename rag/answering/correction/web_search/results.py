"""The results that search engines send, made safe to show and to store."""

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from django.utils.translation import gettext as _
from pydantic import AliasChoices, BaseModel, Field, ValidationError

from rag.answering.correction.web_search.errors import WebSearchFailed
from rag.answering.correction.web_search.protocol import WebResult

_TITLE, _TEXT, _URL = 300, 3000, 2000
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")


class _Found(BaseModel):
    """One result; Tavily and SearXNG differ in the name of the date alone."""

    url: str
    title: str | None = None
    content: str | None = None
    published: str | None = Field(default=None, validation_alias=AliasChoices("publishedDate", "published_date"))


class _Reply(BaseModel):
    results: list[Any]


def results_of(reply: Any, *, limit: int) -> list[WebResult]:
    """At most `limit` results; those without a web address are left out. Raises WebSearchFailed for other shapes."""
    try:
        listed = _Reply.model_validate(reply).results
    except ValidationError as error:
        raise WebSearchFailed(_("The web search gave no list of results.")) from error
    found = []
    for entry in listed:
        with suppress(ValidationError):
            found.append(_Found.model_validate(entry))
    return distinct(
        (
            WebResult(url=one.url, title=one.title or "", text=one.content or "", published=_day(one.published))
            for one in found
        ),
        limit=limit,
    )


def distinct(results: Iterable[WebResult], *, limit: int) -> list[WebResult]:
    """The first `limit` of those with a web address, each address once, their texts on one line and of bounded length.

    A result without a title is called by its address.
    """
    kept: dict[str, WebResult] = {}
    for result in results:
        url = result.url.strip()
        if url.lower().startswith(("http://", "https://")) and len(url) <= _URL and len(kept) < limit:
            title, text = _plain(result.title)[:_TITLE], _plain(result.text)[:_TEXT]
            kept.setdefault(url, WebResult(url=url, title=title or url, text=text, published=result.published))
    return list(kept.values())


def _plain(text: str) -> str:
    return " ".join(_CONTROLS.sub(" ", unicodedata.normalize("NFC", text)).split())


def _day(written: str | None) -> date | None:
    """`2026-03-01T10:00:00Z` or `Sun, 01 Mar 2026 10:00:00 GMT`."""
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        with suppress(ValueError, TypeError):
            return read((written or "").strip()).date()
    return None
