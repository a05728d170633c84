"""Pages and slides joined into one text, with the place where each begins."""

from collections.abc import Sequence

from ingestion.reading.encoding import clean
from ingestion.reading.failures import require_text
from ingestion.types import Page


def joined_pages(texts: Sequence[str]) -> tuple[str, tuple[Page, ...]]:
    """The texts with an empty line between them, and one page for each, also for those without text.

    Raises EmptyDocument when no page has any.
    """
    cleaned = [clean(text).strip() for text in texts]
    starts: list[int] = []
    length = 0
    for text in cleaned:
        starts.append(length)
        length += len(text) + 2 if text else 0
    whole = require_text("\n\n".join(text for text in cleaned if text))
    starts = [min(start, len(whole)) for start in starts]
    ends = [*starts[1:], len(whole)]
    pages = enumerate(zip(starts, ends, strict=True), start=1)
    return whole, tuple(Page(number=number, start=start, end=end) for number, (start, end) in pages)
