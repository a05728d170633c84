"""What is said beside an answer from today's rules: that an older or a coming one says it otherwise."""

from dataclasses import replace

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rag.question import Question
from rag.selectors.wordings import OtherWording, UnitNotYet, other_wordings, units_not_yet
from rag.services.understanding.time_choice import question_url
from rag.types import Answer, Notice


def with_other_times(answer: Answer, question: Question) -> Answer:
    """The answer with a notice for each other wording of what it cites, and the way to what it says, and for what it
    cites that is not in force yet at the time that was asked of. A question of another time already says which it is.
    """
    if answer.outcome != "answered":
        return answer
    filters, today = question.filters, timezone.localdate()
    last = filters.valid_through or filters.valid_on or today
    told = [] if filters.former else [_not_yet(one) for one in units_not_yet(answer.citations, last)]
    if filters.are_of(today):
        told += [_notice(question.to_answer, wording) for wording in other_wordings(answer.citations)]
    return replace(answer, notices=(*answer.notices, *told))


def _not_yet(one: UnitNotYet) -> Notice:
    said = _("%(unit)s is in force only from %(day)s, later than the act that it is in.")
    return Notice(code="later_unit", message=said % {"unit": one.unit, "day": date_format(one.since)})


def _notice(text: str, wording: OtherWording) -> Notice:
    if wording.since:
        said = _("From %(day)s another wording will be in force.") % {"day": date_format(wording.since)}
        link = _("What will be in force then?")
        return Notice(code="coming_wording", message=said, link=link, url=question_url(text, wording.since))
    assert wording.until is not None  # noqa: S101  for the type checker
    said = _("Until %(day)s another wording was in force.") % {"day": date_format(wording.until)}
    link = _("What was in force then?")
    return Notice(code="former_wording", message=said, link=link, url=question_url(text, wording.until))
