"""The chat page: a conversation, and the two ways to ask, with a stream and with a plain form."""

from uuid import UUID

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from rag.chat.answering.answers import ShownAnswer, stored
from rag.chat.answering.nearest import nearest_passages
from rag.chat.asking.asked import Asked, asked, asked_before_streaming
from rag.chat.asking.event_html import event_html
from rag.chat.asking.examples import example_questions
from rag.chat.asking.forms import QuestionForm
from rag.chat.security import strict_policy
from rag.events import Failed, Saved
from rag.models import Conversation
from rag.selectors import conversations_of, shown_exchanges
from rag.sse import EventStreamResponse, broken_off

SHOWN_CONVERSATIONS = 50


@require_safe
@never_cache
@strict_policy
def home(request: HttpRequest) -> HttpResponse:
    return _page(request, question=request.GET.get("q", ""))


@require_safe
@never_cache
@strict_policy
def conversation(request: HttpRequest, pk: UUID) -> HttpResponse:
    current = get_object_or_404(conversations_of(request.user, request.session.session_key or ""), pk=pk)
    return _page(request, current=current)


@require_POST
@strict_policy
def ask_with_form(request: HttpRequest) -> HttpResponse:
    """Without JavaScript: the answer is there when the next page opens."""
    question = asked(request)
    failed: Failed | None = None
    for event in question.events():
        if isinstance(event, Saved):
            return redirect(f"{_address(event.conversation_id)}#{event.exchange_id}")
        if isinstance(event, Failed):
            failed = event
    return _page(
        request,
        current=question.conversation,
        question=question.question,
        failed=failed or broken_off(),
        status=_status(question),
    )


@require_POST
@strict_policy
async def ask_with_stream(request: HttpRequest) -> EventStreamResponse:
    question = await sync_to_async(asked_before_streaming)(request)
    response = EventStreamResponse(question.events(), html=event_html, language=question.language)
    response.status_code = _status(question)
    return response


def _page(
    request: HttpRequest,
    *,
    current: Conversation | None = None,
    question: str = "",
    failed: Failed | None = None,
    status: int = 200,
) -> HttpResponse:
    session_key = request.session.session_key or ""
    form = QuestionForm(
        initial={"question": question, "conversation": current}, viewer=request.user, session_key=session_key
    )
    context = {
        "form": form,
        "current": current,
        "conversations": conversations_of(request.user, session_key)[:SHOWN_CONVERSATIONS],
        "answers": _answers(request, current) if current else (),
        "failed": failed,
        "examples": () if current else example_questions(request.user),
    }
    return render(request, "chat/page.html", context, status=status)


def _status(question: Asked) -> int:
    return 429 if question.refused else 200


def _answers(request: HttpRequest, current: Conversation) -> list[ShownAnswer]:
    """Nearest passages are searched for the last question alone: they are the newest thing that was asked."""
    shown = shown_exchanges(current, request.user)
    return [
        *(stored(exchange) for exchange in shown[:-1]),
        *(stored(last, nearest=nearest_passages(last.exchange, request.user)) for last in shown[-1:]),
    ]


def _address(conversation_id: str) -> str:
    return reverse("chat:conversation", args=[conversation_id])
