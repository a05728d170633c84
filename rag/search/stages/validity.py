"""What is not in force today says so beside its title, wherever it is shown: to readers, programs and models."""

from collections.abc import Iterable
from dataclasses import replace

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rag.types import Passage, TimeInForce


def said_when(passages: Iterable[Passage]) -> list[Passage]:
    """The passages in their order; the titles of those that are not in force today say when they were or will be."""
    return [
        replace(passage, title=f"{passage.title} ({when_held(passage.held)})") if passage.held else passage
        for passage in passages
    ]


def when_held(held: TimeInForce) -> str:
    """For people: "in force until 31 December 2023"."""
    first, last = (date_format(day) if day else "" for day in (held.first, held.last))
    if not held.is_over(timezone.localdate()):
        return _("in force from %(first)s") % {"first": first}
    if not first:
        return _("in force until %(last)s") % {"last": last}
    return _("in force from %(first)s to %(last)s") % {"first": first, "last": last}
