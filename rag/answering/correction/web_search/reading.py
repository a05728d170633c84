"""From a question to passages of the web: search, read the pages, cut and score them."""

import time

from knowledgetree.fetching import Fetcher
from rag.answering.correction.web_search.pages import read_pages
from rag.answering.correction.web_search.passages import passages_from_web
from rag.answering.correction.web_search.protocol import WebSearch
from rag.types import Passage, Tokens


def search_and_read(
    question: str, *, language: str, search: WebSearch, fetcher: Fetcher, results: int, passages: int, seconds: float
) -> tuple[list[Passage], Tokens]:
    """At most `passages` of the first `results` pages, best first, and what a language model used for the search.

    What is not read after `seconds` counts with the snippet of the search engine. Raises WebSearchFailed.
    """
    begun = time.monotonic()
    found, usage = search.search(question, language=language, limit=results, seconds=seconds)
    pages = read_pages(found, fetcher=fetcher, seconds=begun + seconds - time.monotonic())
    return passages_from_web(question, pages, limit=passages), usage
