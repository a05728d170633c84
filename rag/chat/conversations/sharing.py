"""A conversation of somebody else: shared, where each sees what they may read, or looked at by a superuser."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ingestion.models.viewers import is_superuser
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record
from rag.chat.answering.answers import ShownAnswer, stored
from rag.chat.conversations.feedback import with_feedback
from rag.models import Conversation
from rag.selectors import ShownExchange, shared_exchanges, shown_exchanges


@require_safe
@never_cache
@login_required
def shared(request: HttpRequest, pk: UUID) -> HttpResponse:
    """404 where it is not shared, for its owner as well."""
    conversation = get_object_or_404(Conversation.objects.select_related("owner"), pk=pk, shared__isnull=False)
    record(AuditEntry.Action.READ, subject=Subject(kind="rag.conversation", number=str(pk)))
    shown = shared_exchanges(conversation, request.user)
    context = {
        "title": title_of(conversation, shown),
        "owner": conversation.owner,
        "answers": with_feedback([_told(one) for one in shown], conversation, request),
    }
    response = render(request, "chat/shared.html", context)
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response


@require_safe
@never_cache
@login_required
def reviewed(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Anybody's conversation as its page shows it, steps and checks included, for those who look after the answers.

    404 for all but superusers, who alone may read what people asked.
    """
    if not is_superuser(request.user):
        raise Http404
    conversation = get_object_or_404(Conversation.objects.select_related("owner"), pk=pk)
    record(AuditEntry.Action.READ, subject=Subject(kind="rag.conversation", number=str(pk)))
    shown = shown_exchanges(conversation, request.user)
    context = {
        "title": conversation.title,
        "reviewed": True,
        "owner": conversation.owner,
        "answers": [stored(one) for one in shown],
    }
    return render(request, "chat/shared.html", context)


def title_of(conversation: Conversation, shown: list[ShownExchange]) -> str:
    """Its name where everything may be seen as it is; else the first question, unless that is hidden too."""
    if shown and not any(one.hidden or one.covered for one in shown):
        return conversation.title
    return shown[0].exchange.question if shown and not shown[0].hidden else _("A shared conversation")


def _told(one: ShownExchange) -> ShownAnswer:
    """Without what was thought on the way: steps and corrections were made with the owner's rights."""
    if one.hidden:
        return ShownAnswer(question="", html=SafeString(), outcome="", hidden=True)
    exchange = one.exchange  # in memory only
    exchange.steps, exchange.corrections, exchange.searched = [], [], ""
    return stored(one)
