"""Renaming, deleting and sharing: plain forms, each with a page of its own where JavaScript is off."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from rag.chat.conversations.own_conversations import owned_conversation
from rag.models import Conversation
from rag.services import conversations


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def rename(request: HttpRequest, pk: UUID) -> HttpResponse:
    """With `fragment` an empty 204: the script renews the list itself."""
    conversation = owned_conversation(request, pk)
    address = next_address(request) or _address(conversation)
    title, problem = conversation.title, None
    if request.method == "POST":
        title = request.POST.get("title", "")
        try:
            conversations.rename(conversation=conversation, title=title)
            return HttpResponse(status=204) if "fragment" in request.POST else redirect(address)
        except conversations.InvalidTitle as error:
            problem = error
    context = {
        "conversation": conversation,
        "title": title,
        "problem": problem,
        "next": address,
        "longest": conversations.LONGEST_TITLE,
    }
    return render(request, "chat/conversations/rename.html", context, status=400 if problem else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A GET asks whether it is meant."""
    conversation = owned_conversation(request, pk)
    address, own = next_address(request) or reverse("chat:home"), _address(conversation)
    if request.method == "POST":
        conversations.delete(conversation=conversation)
        return redirect(reverse("chat:home") if address.startswith(own) else address)
    return render(request, "chat/conversations/delete.html", {"conversation": conversation, "next": address})


@require_POST
@never_cache
@login_required
def share(request: HttpRequest, pk: UUID) -> HttpResponse:
    """`shared` 1 or 0; what is asked for may be so already."""
    conversation = owned_conversation(request, pk)
    if request.POST.get("shared") == "1":
        conversations.share(conversation=conversation)
    else:
        conversations.unshare(conversation=conversation)
    return redirect(f"{_address(conversation)}?menu=share")


def next_address(request: HttpRequest) -> str:
    """Where the reader came from, "" where that is not a page of ours."""
    address = (request.POST if request.method == "POST" else request.GET).get("next", "")
    ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())
    return address if ours and address.startswith("/") else ""


def _address(conversation: Conversation) -> str:
    return reverse("chat:conversation", args=[conversation.pk])
