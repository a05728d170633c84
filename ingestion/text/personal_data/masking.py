"""Personal data covered, character by character: every offset into the text stays true."""

import re
from collections.abc import Iterable
from typing import Any

from ingestion.text.personal_data.detection import find_personal_data

COVER = "•"

_SHOWN = re.compile(r"\S")


def masked(text: str, spans: Iterable[tuple[int, int]] = (), values: Iterable[str] = ()) -> str:
    """`text`, as long as before, with its personal data, the characters [start, end) of `spans` and `values` covered.

    White space stays, so that lines and table rows do too. What is masked already is masked no further.
    """
    spans = [*spans, *(match.span() for value in values for match in re.finditer(re.escape(value), text))]
    covered = [*spans, *((found.start, found.end) for found in find_personal_data(text))]
    for start, end in covered:
        start, end = max(0, start), min(end, len(text))
        if start < end:
            text = text[:start] + _SHOWN.sub(COVER, text[start:end]) + text[end:]
    return text


def without_personal_data(text: str) -> str:
    """`text` with its personal data left out, for what is looked up elsewhere."""
    for found in reversed(find_personal_data(text)):
        text = f"{text[: found.start]} {text[found.end :]}"
    return " ".join(text.split())


def masked_address(address: str) -> str:
    """An address or a path, as long as before. Behind a slash of a text a number is a piece of a longer one; here it is
    the name of a folder or a file.
    """
    return "/".join(masked(part) for part in masked(address).split("/"))


def masked_values(value: Any) -> Any:
    """A JSON value with every text in it masked."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {key: masked_values(one) for key, one in value.items()}
    return [masked_values(one) for one in value] if isinstance(value, list | tuple) else value
