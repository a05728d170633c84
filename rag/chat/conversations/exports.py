"""A conversation as a file."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record
from rag.chat.conversations.exporting import as_data, as_markdown, exchange_lines, file_name
from rag.chat.conversations.files.content import PrintedExchange, printed
from rag.chat.conversations.own_conversations import owned_conversation
from rag.models import Conversation
from rag.selectors import shown_exchanges

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@require_safe
@never_cache
def markdown(request: HttpRequest, pk: UUID) -> HttpResponse:
    """With `exchange` one question and answer alone, for the clipboard."""
    conversation = owned_conversation(request, pk)
    _record(conversation)
    shown = shown_exchanges(conversation, request.user)
    if only := request.GET.get("exchange"):
        lines = (exchange_lines(one, request.build_absolute_uri) for one in shown if str(one.exchange.pk) == only)
        text = "\n".join(line for exchange in lines for line in exchange)
    else:
        text = as_markdown(conversation, shown, request.build_absolute_uri)
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    return _attached(response, file_name(conversation.title, "md"))


@require_safe
@never_cache
def data(request: HttpRequest, pk: UUID) -> HttpResponse:
    conversation = owned_conversation(request, pk)
    _record(conversation)
    exported = as_data(conversation, shown_exchanges(conversation, request.user), request.build_absolute_uri)
    response = JsonResponse(exported, json_dumps_params={"ensure_ascii": False, "indent": 2})
    return _attached(response, file_name(conversation.title, "json"))


@require_safe
@never_cache
def word(request: HttpRequest, pk: UUID) -> HttpResponse:
    from rag.chat.conversations.files.word import as_docx  # a library of its own: loaded by the first who wants it

    conversation, exchanges = _printed(request, pk)
    response = HttpResponse(as_docx(conversation.title, exchanges), content_type=_WORD)
    return _attached(response, file_name(conversation.title, "docx"))


@require_safe
@never_cache
def pdf(request: HttpRequest, pk: UUID) -> HttpResponse:
    from rag.chat.conversations.files.pdf import as_pdf

    conversation, exchanges = _printed(request, pk)
    response = HttpResponse(as_pdf(conversation.title, exchanges), content_type="application/pdf")
    return _attached(response, file_name(conversation.title, "pdf"))


def _printed(request: HttpRequest, pk: UUID) -> tuple[Conversation, list[PrintedExchange]]:
    conversation = owned_conversation(request, pk)
    _record(conversation)
    return conversation, printed(shown_exchanges(conversation, request.user), request.build_absolute_uri)


def _record(conversation: Conversation) -> None:
    record(AuditEntry.Action.EXPORT, subject=Subject(kind="rag.conversation", number=str(conversation.pk)))


def _attached(response: HttpResponse, name: str) -> HttpResponse:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
