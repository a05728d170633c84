"""Thumbs and a comment under an answer."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from knowledgetree.errors import KnowledgeTreeError
from rag.chat.answering.answers import ShownAnswer
from rag.chat.conversations.own_conversations import session_key_of
from rag.chat.limits import FeedbackLimit
from rag.models import Conversation, Exchange, Feedback
from rag.selectors import conversations_of, seen_exchange
from rag.services.feedback import InvalidFeedback, feedback_of, judge, take_back


@require_POST
@never_cache
def give_feedback(request: HttpRequest) -> HttpResponse:
    """`verdict` empty takes the judgement back. With `fragment` the thumbs alone, as they are now."""
    limit = FeedbackLimit()
    exchange = _seen(request)
    given: Feedback | None = None
    problem: KnowledgeTreeError | None = None
    if not limit.allow_request(request, None):  # type: ignore[arg-type]
        wait = _("Wait %(n)d seconds and try again.") % {"n": limit.seconds_to_wait}
        problem = KnowledgeTreeError(_("Too many judgements in a short time."), remedy=wait)
        return _refused(request, exchange, problem, status=429)
    try:
        given = _keep(request, exchange)
    except InvalidFeedback as error:
        return _refused(request, exchange, error, status=400)
    if "fragment" in request.POST:
        return render(request, "chat/_thumbs.html", {"exchange": exchange.pk, "given": given})
    return redirect(_address(request, exchange))


def with_feedback(
    answers: Sequence[ShownAnswer], conversation: Conversation, request: HttpRequest
) -> list[ShownAnswer]:
    """The answers with what the reader said of each."""
    given = {str(pk): one for pk, one in feedback_of(conversation.pk, request.user, session_key_of(request)).items()}
    return [replace(answer, feedback=given.get(answer.id)) for answer in answers]


def _seen(request: HttpRequest) -> Exchange:
    try:
        key = UUID(request.POST.get("exchange", ""))
        return seen_exchange(key, request.user, session_key_of(request)).exchange
    except (ValueError, Exchange.DoesNotExist) as error:
        raise Http404 from error


def _keep(request: HttpRequest, exchange: Exchange) -> Feedback | None:
    verdict, session_key = request.POST.get("verdict", ""), session_key_of(request)
    if not verdict:
        take_back(exchange=exchange.pk, viewer=request.user, session_key=session_key)
        return None
    comment = request.POST.get("comment", "")
    return judge(exchange=exchange.pk, viewer=request.user, session_key=session_key, verdict=verdict, comment=comment)


def _refused(request: HttpRequest, exchange: Exchange, problem: KnowledgeTreeError, *, status: int) -> HttpResponse:
    """What is wrong, with what was written, so that nothing must be typed twice."""
    earlier = feedback_of(exchange.conversation_id, request.user, session_key_of(request)).get(exchange.pk)
    context = {
        "exchange": exchange.pk,
        "question": exchange.question,
        "given": earlier,
        "problem": problem,
        "comment": request.POST.get("comment", ""),
        "back": _address(request, exchange),
    }
    template = "chat/_thumbs.html" if "fragment" in request.POST else "chat/conversations/feedback.html"
    return render(request, template, context, status=status)


def _address(request: HttpRequest, exchange: Exchange) -> str:
    own = conversations_of(request.user, session_key_of(request)).filter(pk=exchange.conversation_id).exists()
    name = "chat:conversation" if own else "chat:shared"
    return f"{reverse(name, args=[exchange.conversation_id])}#{exchange.pk}"
