"""What is said beside an answer from today's rules: that an older or a coming one says it otherwise."""

from dataclasses import replace

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rag.question import Question
from rag.selectors.wordings import OtherWording, other_wordings
from rag.services.understanding.time_choice import question_url
from rag.types import Answer, Notice


def with_other_times(answer: Answer, question: Question) -> Answer:
    """The answer with a notice for each other wording of what it cites, and the way to what it says. One that was asked
    of another time already says so.
    """
    if answer.outcome != "answered" or not question.filters.are_of(timezone.localdate()):
        return answer
    told = tuple(_notice(question.to_answer, wording) for wording in other_wordings(answer.citations))
    return replace(answer, notices=(*answer.notices, *told))


def _notice(text: str, wording: OtherWording) -> Notice:
    if wording.since:
        said = _("From %(day)s another wording will be in force.") % {"day": date_format(wording.since)}
        link = _("What will be in force then?")
        return Notice(code="coming_wording", message=said, link=link, url=question_url(text, wording.since))
    assert wording.until is not None  # noqa: S101  for the type checker
    said = _("Until %(day)s another wording was in force.") % {"day": date_format(wording.until)}
    link = _("What was in force then?")
    return Notice(code="former_wording", message=said, link=link, url=question_url(text, wording.until))
