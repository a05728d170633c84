"""The chat page: a conversation, and the two ways to ask, with a stream and with a plain form."""

from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ingestion.library.sample import without_guides
from ingestion.selectors import readable_documents
from rag.chat.answering.answers import ShownAnswer, fresh, stored
from rag.chat.answering.costs import sees_costs
from rag.chat.answering.nearest import nearest_found
from rag.chat.asking.admission import admit_before_streaming, admit_question
from rag.chat.asking.event_html import EventHtml
from rag.chat.asking.first_visit import example_questions, sees_only_sample
from rag.chat.asking.question_box import question_box
from rag.chat.conversations.feedback import with_feedback
from rag.chat.conversations.own_conversations import owned_conversation, session_key_of
from rag.chat.conversations.rail import rail_of
from rag.events import Failed, went_wrong
from rag.models import Conversation
from rag.selectors import shown_exchanges
from rag.selectors.assistants import HELP
from rag.services.ask import drain
from rag.services.gap_reports import filled_gaps
from rag.services.sse import EventStreamResponse


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    return _page(request, question=request.GET.get("q", ""))


@require_safe
@never_cache
def conversation(request: HttpRequest, pk: UUID) -> HttpResponse:
    return _page(request, current=owned_conversation(request, pk), question=request.GET.get("q", ""))


@require_POST
def ask_with_form(request: HttpRequest) -> HttpResponse:
    """Without JavaScript: the answer is there when the next page opens."""
    admission = admit_question(request)
    ending = drain(admission.events())
    if ending.saved:
        query = question_box(request).query  # what was chosen stays chosen for the next question
        return redirect(f"{_address(ending.saved.conversation_id)}{query}#{ending.saved.exchange_id}")
    completed = ending.completed
    page = _page(
        request,
        current=admission.request.conversation,
        question=admission.request.question,
        failed=ending.failed or (None if completed else went_wrong()),
        unsaved=fresh(completed.answer, topics=completed.topics) if completed else None,
        status=admission.status,
    )
    for name, value in admission.headers.items():
        page.headers[name] = value
    return page


@require_POST
async def ask_with_stream(request: HttpRequest) -> EventStreamResponse:
    admission = await sync_to_async(admit_before_streaming)(request)
    asked = admission.request
    page = EventHtml(asked.question, costs=await sync_to_async(sees_costs)(asked.viewer))
    response = EventStreamResponse(admission.events(), encode=page.encode, language=asked.language)
    response.status_code = admission.status
    for name, value in admission.headers.items():
        response.headers[name] = value
    return response


def _page(
    request: HttpRequest,
    *,
    current: Conversation | None = None,
    question: str = "",
    failed: Failed | None = None,
    unsaved: ShownAnswer | None = None,
    status: int = 200,
) -> HttpResponse:
    box = question_box(request, current)
    chosen = box.form.filters.collections
    begins = not current and box.assistant != HELP  # a conversation about the documents
    context = {
        "box": box,
        "question": question,
        "current": current,
        "rail": rail_of(request, current),
        "answers": _answers(request, current) if current else (),
        "sees_costs": sees_costs(request.user),
        "failed": failed,
        "unsaved": unsaved,
        "examples": () if current else example_questions(request.user, chosen),
        "only_sample": begins and sees_only_sample(request.user),
        "filled_gaps": () if current else filled_gaps(request.user, session_key_of(request)),
        "nothing_to_read": begins and not without_guides(readable_documents(request.user)).exists(),
    }
    return render(request, "chat/page.html", context, status=status)


def _answers(request: HttpRequest, current: Conversation) -> list[ShownAnswer]:
    """Nearest passages are searched for the last question alone: they are the newest thing that was asked."""
    shown = shown_exchanges(current, request.user)
    answers = [
        *(stored(exchange) for exchange in shown[:-1]),
        *(stored(last, nearest=nearest_found(last, request.user)) for last in shown[-1:]),
    ]
    return with_feedback(answers, current, request)


def _address(conversation_id: str) -> str:
    return reverse("chat:conversation", args=[conversation_id])
