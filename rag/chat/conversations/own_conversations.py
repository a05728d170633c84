"""The reader's own conversations and what they see of shared ones, by request."""

from uuid import UUID

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from rag.models import Conversation, Exchange
from rag.selectors import conversations_of, seen_exchange


def owned_conversation(request: HttpRequest, pk: UUID) -> Conversation:
    """Raises Http404 alike for a conversation that is not there and one of somebody else."""
    return get_object_or_404(conversations_of(request.user, session_key_of(request)), pk=pk)


def session_key_of(request: HttpRequest) -> str:
    """That of the browser session, "" where there is none yet."""
    return request.session.session_key or ""


def seen_by_reader(request: HttpRequest) -> Exchange:
    """The answer that the form is about; raises Http404 for one that the reader does not see."""
    try:
        key = UUID(request.POST.get("exchange", ""))
        return seen_exchange(key, request.user, session_key_of(request)).exchange
    except (ValueError, Exchange.DoesNotExist) as error:
        raise Http404 from error


def address_of_exchange(request: HttpRequest, exchange: Exchange) -> str:
    """In the reader's own conversation, else in the shared one."""
    own = conversations_of(request.user, session_key_of(request)).filter(pk=exchange.conversation_id).exists()
    name = "chat:conversation" if own else "chat:shared"
    return f"{reverse(name, args=[exchange.conversation_id])}#{exchange.pk}"
