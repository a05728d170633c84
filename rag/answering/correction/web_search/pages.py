"""The pages behind results, read through the guard; a page that fails leaves the snippet of the search engine."""

import logging
import re
import unicodedata
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import date

from knowledgetree.fetching import Fetcher
from knowledgetree.fetching.errors import FetchError
from knowledgetree.fetching.types import WEB_PAGES, Fetched
from rag.answering.correction.web_search.protocol import WebResult

_MAX_BYTES = 2_000_000  # of a page; reading a larger one takes longer than a reader waits
_MAX_TEXT = 60_000  # characters of a page that are looked at
_AT_ONCE = 8
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")

logger = logging.getLogger("knowledgetree.web_search")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """The main text of the page at `uri`, or only its snippet. Lines end with "\\n"."""

    uri: str
    title: str
    text: str
    published: date | None = None


def read_pages(results: Sequence[WebResult], *, fetcher: Fetcher, seconds: float) -> list[WebPage]:
    """A page for each result, in their order; those without any text are left out. Takes no more than `seconds`."""
    if seconds <= 0 or not results:
        return [page for page in map(_snippet, results) if page.text]
    readers = ThreadPoolExecutor(max_workers=min(_AT_ONCE, len(results)), thread_name_prefix="web")
    reading = [readers.submit(_read, result, fetcher, seconds) for result in results]
    try:
        done, _ = wait(reading, timeout=seconds)
    finally:
        readers.shutdown(wait=False, cancel_futures=True)  # those that are late end by themselves soon
    pages = [task.result() if task in done else _snippet(result) for task, result in zip(reading, results, strict=True)]
    return [page for page in pages if page.text]


def _read(result: WebResult, fetcher: Fetcher, seconds: float) -> WebPage:
    snippet = _snippet(result)
    try:
        fetched = fetcher.get(result.url, media_types=WEB_PAGES, seconds=seconds, max_bytes=_MAX_BYTES)
    except FetchError as error:
        logger.info("web result left as a snippet", extra={"code": error.code})
        return snippet
    text = _main_text(fetched) if isinstance(fetched, Fetched) else ""
    if len(text) <= len(snippet.text):
        return snippet
    return WebPage(uri=fetched.final_url, title=result.title, text=text, published=result.published)


def _snippet(result: WebResult) -> WebPage:
    return WebPage(uri=result.url, title=result.title, text=result.text, published=result.published)


def _main_text(fetched: Fetched) -> str:
    """Without navigation and the like; "" where nothing is left."""
    text = fetched.text if fetched.media_type == "text/plain" else _judged_by_trafilatura(fetched.text)
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", text.replace("\r\n", "\n")))[:_MAX_TEXT].strip()


def _judged_by_trafilatura(markup: str) -> str:
    import trafilatura

    try:
        return trafilatura.extract(markup, include_comments=False, include_tables=True) or ""
    except Exception:  # what a parser of any page in the world may raise
        logger.warning("web page could not be read", exc_info=True)
        return ""
