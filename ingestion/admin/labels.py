"""Small pieces of HTML for lists. Templates escape; nothing here marks text of others as safe."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal, TypeVar

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

Colour = Literal["success", "info", "warning", "danger", "default"]
Row = TypeVar("Row")


def coloured(text: object, colour: Colour) -> SafeString:
    """A word on a coloured ground; the colour only repeats what the word says."""
    return render_to_string("admin/ingestion/label.html", {"text": text, "colour": colour})


def excerpt(text: str, length: int = 160) -> str:
    text = " ".join(text[: length * 2].split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def moment(when: datetime | None) -> str:
    """Day and time, short, in the reader's format."""
    return date_format(localtime(when), "SHORT_DATETIME_FORMAT") if when else "–"


def live_cells(row: Row, columns: Sequence[Callable[[Row], str]]) -> dict[str, str]:
    """The cells that change while a page is open, by the name of their column: their CSS class is `field-NAME`."""
    return {column.__name__: str(column(row)) for column in columns}
