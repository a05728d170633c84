"""At which time a question is looked up: today, as asked by a filter, or as its words say; and what is said of that."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from operator import attrgetter
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ingestion.models import Collection
from ingestion.selectors.clearance import Clearance
from rag.llm.configuration import settings_in_force
from rag.presets import Preset
from rag.search.retriever import HybridRetriever
from rag.selectors.scope import with_archives
from rag.types import Filters, Notice, Passage
from rag.understanding.asked_time import AskedTime, asked_time, compares_times

_MARGIN = 0.2
"""By how much less relevant what was in force then may be than what is today, where the words leave it open."""
_LOOKED_AT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedQuestion:
    """What is searched for and by which filters; `notices` say which time it is about, or that another may be meant."""

    text: str
    filters: Filters
    notices: tuple[Notice, ...] = ()


def time_moved_to(
    text: str, filters: Filters, collections: Sequence[Collection], preset: Preset, clearance: Clearance
) -> MovedQuestion:
    """A filter decides, where it names a time. Else the words of the question: what they leave open is looked up both
    ways, and stays with today unless the documents of that time answer as well and are others. Who asks how it was and
    how it is gets both.
    """
    if filters.include_expired:
        return MovedQuestion(text=text, filters=filters)
    today = timezone.localdate()
    if filters.names_a_time:
        notices = () if filters.are_of(today) else (as_of_notice(text, filters),)
        return MovedQuestion(text=text, filters=filters, notices=notices)
    if compares_times(text, today=today):
        return MovedQuestion(text=text, filters=replace(filters, with_former=True))
    time = asked_time(text, today=today)
    if time is None:
        return MovedQuestion(text=text, filters=filters)
    moved = filters_at(time, filters)
    bare = time.without(text)
    if time.former and time.sure and not _found(bare, moved, collections, preset, clearance):
        return MovedQuestion(text=text, filters=filters, notices=(_nothing_former(),))
    if time.sure or _is_meant(text, bare, moved, filters, collections, preset, clearance):
        return MovedQuestion(text=bare, filters=moved, notices=(as_of_notice(bare, moved),))
    offered = _offer(bare, moved) if _holds_anything(bare, moved, collections, preset, clearance) else ()
    return MovedQuestion(text=text, filters=filters, notices=offered)


def filters_at(time: AskedTime, filters: Filters) -> Filters:
    """With the time, as a filter says it."""
    if time.former:
        return replace(filters, former=True)
    through = time.last if time.last != time.first else None
    return replace(filters, valid_on=time.first, valid_through=through)


def as_of_notice(text: str, filters: Filters) -> Notice:
    """Says which time the answer is about, with the way to today's."""
    if filters.former:
        message = _("The answer says what was in force before the present rules.")
    elif filters.valid_on and filters.valid_on > timezone.localdate():
        message = _("As of %(time)s: the answer says what will be in force then.") % {"time": time_in_words(filters)}
    else:
        message = _("As of %(time)s: the answer says what was in force then.") % {"time": time_in_words(filters)}
    return Notice(code="as_of", message=message, link=_("What is in force today?"), url=question_url(text, None))


def _nothing_former() -> Notice:
    message = _("No document says what was in force before: the answer says what is in force today.")
    return Notice(code="as_of_unknown", message=message)


def time_in_words(filters: Filters) -> str:
    """The day, the month, the year or the period that is searched."""
    first, last = filters.valid_on, filters.valid_through
    if first is None:
        return ""
    if last is None or last == first:
        return str(date_format(first))
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        return str(first.year)
    return f"{date_format(first)} – {date_format(last)}"


def question_url(text: str, day: date | None) -> str:
    """The chat page with this question, to be asked of what is in force on `day`, today where None."""
    asked = {"q": text, "valid_on": (day or timezone.localdate()).isoformat()}
    return f"{reverse('chat:home')}?{urlencode(asked)}"


def _is_meant(
    text: str,
    bare: str,
    moved: Filters,
    filters: Filters,
    collections: Sequence[Collection],
    preset: Preset,
    clearance: Clearance,
) -> bool:
    """Whether what was in force then answers about as well as what is today, and is something else. A document of
    today is about the time that it alone names.
    """
    then = _found(bare, moved, collections, preset, clearance)
    held = max((passage for passage in then if passage.held), key=attrgetter("relevance"), default=None)
    if held is None:
        return False
    now = _found(text, filters, collections, preset, clearance)
    if not now:
        return True
    if _names(now[0], moved) and now[0].uri != then[0].uri and not _names(held, moved):
        return False
    return held.relevance >= now[0].relevance - _MARGIN


def _names(passage: Passage, moved: Filters) -> bool:
    """Whether the passage speaks of the year that is asked about."""
    return moved.valid_on is not None and str(moved.valid_on.year) in f"{passage.title}\n{passage.text}"


def _holds_anything(
    bare: str, moved: Filters, collections: Sequence[Collection], preset: Preset, clearance: Clearance
) -> bool:
    return any(passage.held for passage in _found(bare, moved, collections, preset, clearance))


def _offer(bare: str, moved: Filters) -> tuple[Notice, ...]:
    if moved.valid_on is None:
        return ()
    said = _("The answer says what is in force today.")
    link = _("What was in force: %(time)s") % {"time": time_in_words(moved)}
    return (
        Notice(
            code="as_of_offered", message=said, link=link, url=question_url(bare, moved.valid_through or moved.valid_on)
        ),
    )


def _found(
    text: str, filters: Filters, collections: Sequence[Collection], preset: Preset, clearance: Clearance
) -> tuple[Passage, ...]:
    settings = settings_in_force()
    retriever = HybridRetriever(
        preset=preset,
        lexical=settings.lexical,
        engine=settings.search_engine,
        result_seconds=settings.caches.result_seconds,
    )
    within = with_archives(collections, filters)
    return retriever.retrieve(text, collections=within, filters=filters, top_k=_LOOKED_AT, clearance=clearance).passages
