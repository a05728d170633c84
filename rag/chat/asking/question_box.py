"""The question box as the page shows it: what can be chosen, and what is."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, QueryDict

from rag.chat.asking.chips import FilterChip, filter_chips, query_of
from rag.chat.asking.filter_groups import FilterGroup, filter_groups
from rag.chat.asking.forms import QuestionForm
from rag.models import Assistant, Conversation
from rag.selectors import offered_assistants


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionBox:
    """`dated`: documents say when they are in force, so that a day may be chosen."""

    form: QuestionForm
    question: str
    groups: Sequence[FilterGroup]
    chips: Sequence[FilterChip]
    dated: bool
    assistants: Sequence[Assistant]
    assistant: str

    @property
    def suggestions(self) -> Sequence[str]:
        """What the chosen assistant offers to be asked; none: what the documents offer."""
        return next((one.suggestions for one in self.assistants if one.slug == self.assistant), ())

    @property
    def query(self) -> str:
        """What is chosen, as the query of an address."""
        return query_of(self.chips)


def question_box(request: HttpRequest, current: Conversation | None = None) -> QuestionBox:
    """What is chosen comes from the form that was sent or from the address, the assistant else from `current`."""
    sent = request.POST if request.method == "POST" else request.GET
    form = QuestionForm(sent, viewer=request.user, session_key=request.session.session_key or "")
    form.is_valid()
    groups = filter_groups(form.values, _lists(sent))
    assistants = list(offered_assistants(request.user))
    return QuestionBox(
        form=form,
        question=form.asked,
        groups=groups,
        chips=filter_chips(groups, form.filters),
        dated=any(value.filter == "valid_on" for value in form.values),
        assistants=assistants,
        assistant=form.cleaned_data.get("assistant") or _last_assistant(current, assistants),
    )


def _lists(sent: QueryDict) -> dict[str, list[str]]:
    return {name: sent.getlist(name) for name in sent}


def _last_assistant(current: Conversation | None, offered: Sequence[Assistant]) -> str:
    return next((one.slug for one in offered if current and one.pk == current.assistant_id), "")
