"""Text that came from documents, for a Markdown file: whatever renders it shows it, and neither runs nor fetches it."""

import re

_CITATION = re.compile(r"\[\d{1,3}\](?![(\[:])")
_MEANING = re.compile(rf"{_CITATION.pattern}|([<\[])")


def without_markup(text: str) -> str:
    """`text` in which no HTML, link, image or definition of a link can begin; citations such as "[1]" stay."""
    return _MEANING.sub(lambda match: f"\\{match[1]}" if match[1] else match[0], text)
