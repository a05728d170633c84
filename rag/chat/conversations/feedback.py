"""Thumbs and a comment under an answer."""

from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from knowledgetree.errors import KnowledgeTreeError
from rag.chat.answering.answers import ShownAnswer
from rag.chat.conversations.own_conversations import address_of_exchange, seen_by_reader, session_key_of
from rag.chat.limits import FeedbackLimit
from rag.models import Conversation, Exchange, Feedback
from rag.services.feedback import InvalidFeedback, feedback_of, judge, take_back
from rag.services.gap_reports import reported_by


@require_POST
@never_cache
def give_feedback(request: HttpRequest) -> HttpResponse:
    """`verdict` empty takes the judgement back. With `fragment` the thumbs alone, as they are now."""
    limit = FeedbackLimit()
    exchange = seen_by_reader(request)
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
    return redirect(address_of_exchange(request, exchange))


def with_feedback(
    answers: Sequence[ShownAnswer], conversation: Conversation, request: HttpRequest
) -> list[ShownAnswer]:
    """The answers with what the reader said of each: a judgement, or that it is missing."""
    asker = (conversation.pk, request.user, session_key_of(request))
    given = {str(pk): one for pk, one in feedback_of(*asker).items()}
    reported = {str(pk) for pk in reported_by(*asker)}
    return [replace(one, feedback=given.get(one.id), reported=one.id in reported) for one in answers]


def _keep(request: HttpRequest, exchange: Exchange) -> Feedback | None:
    verdict, session_key = request.POST.get("verdict", ""), session_key_of(request)
    if not verdict:
        take_back(exchange=exchange.pk, viewer=request.user, session_key=session_key)
        return None
    return judge(
        exchange=exchange.pk,
        viewer=request.user,
        session_key=session_key,
        verdict=verdict,
        reason=request.POST.get("reason", ""),
        comment=request.POST.get("comment", ""),
    )


def _refused(request: HttpRequest, exchange: Exchange, problem: KnowledgeTreeError, *, status: int) -> HttpResponse:
    """What is wrong, with what was written, so that nothing must be typed twice."""
    earlier = feedback_of(exchange.conversation_id, request.user, session_key_of(request)).get(exchange.pk)
    context = {
        "exchange": exchange.pk,
        "question": exchange.question,
        "given": earlier,
        "problem": problem,
        "comment": request.POST.get("comment", ""),
        "back": address_of_exchange(request, exchange),
    }
    template = "chat/_thumbs.html" if "fragment" in request.POST else "chat/conversations/feedback.html"
    return render(request, template, context, status=status)
