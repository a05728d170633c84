"""Signing out elsewhere."""

from allauth.usersessions.models import UserSession
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from knowledgetree.identity.sessions import end_sessions


@require_POST
@login_required
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """One of one's own; a stranger's is not there."""
    get_object_or_404(UserSession, pk=pk, user=request.user).end()
    return redirect("chat:account")


@require_POST
@login_required
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    end_sessions(request.user, but=request.session.session_key)  # type: ignore[arg-type]
    return redirect("chat:account")
