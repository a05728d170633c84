"""The reader's own conversations, by request."""

from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from rag.models import Conversation
from rag.selectors import conversations_of


def owned_conversation(request: HttpRequest, pk: UUID) -> Conversation:
    """Raises Http404 alike for a conversation that is not there and one of somebody else."""
    return get_object_or_404(conversations_of(request.user, session_key_of(request)), pk=pk)


def session_key_of(request: HttpRequest) -> str:
    """That of the browser session, "" where there is none yet."""
    return request.session.session_key or ""
