"""“Report a gap” under an answer that is none."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from knowledgetree.errors import KnowledgeTreeError
from rag.chat.conversations.own_conversations import address_of_exchange, seen_by_reader, session_key_of
from rag.chat.limits import FeedbackLimit
from rag.models import Exchange
from rag.services.gap_reports import mark_told, report_gap
from rag.services.gaps import InvalidGap


@require_POST
@never_cache
def report(request: HttpRequest) -> HttpResponse:
    """Counted together with judgements. With `fragment` what takes the place of the form alone."""
    limit = FeedbackLimit()
    exchange = seen_by_reader(request)
    if not limit.allow_request(request, None):  # type: ignore[arg-type]
        wait = _("Wait %(n)d seconds and try again.") % {"n": limit.seconds_to_wait}
        problem = KnowledgeTreeError(_("Too many reports in a short time."), remedy=wait)
        return _refused(request, exchange, problem, status=429)
    comment, session_key = request.POST.get("comment", ""), session_key_of(request)
    try:
        report_gap(exchange=exchange.pk, viewer=request.user, session_key=session_key, comment=comment)
    except InvalidGap as error:
        return _refused(request, exchange, error, status=400)
    if "fragment" in request.POST:
        return render(request, "chat/_report_body.html", {"exchange": exchange.pk, "reported": True})
    return redirect(address_of_exchange(request, exchange))


@require_POST
@never_cache
def told(request: HttpRequest, pk: int) -> HttpResponse:
    """The reader knows that a question that they reported has an answer by now."""
    mark_told(report=pk, viewer=request.user, session_key=session_key_of(request))
    return redirect("chat:home")


def _refused(request: HttpRequest, exchange: Exchange, problem: KnowledgeTreeError, *, status: int) -> HttpResponse:
    """What is wrong, with what was written, so that nothing must be typed twice."""
    context = {
        "exchange": exchange.pk,
        "question": exchange.question,
        "problem": problem,
        "comment": request.POST.get("comment", ""),
        "back": address_of_exchange(request, exchange),
    }
    template = "chat/_report_body.html" if "fragment" in request.POST else "chat/conversations/report.html"
    return render(request, template, context, status=status)
