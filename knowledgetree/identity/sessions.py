"""Sessions of an account: when each was used last, how long it may last, and its end."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware

from knowledgetree.identity.models import DirectoryAccount
from knowledgetree.postgres.optional import optional_write

_PRECISION = 300
"""Seconds between two notes of a session's use: a write for each request would cost more than it tells."""


def limit_session(request: HttpRequest) -> None:
    """Whoever came by a directory comes by it again after DIRECTORY_SESSION_HOURS, so that what it took is gone."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated and DirectoryAccount.objects.filter(user=user.pk).exists():
        request.session.set_expiry(timezone.now() + timedelta(hours=settings.DIRECTORY_SESSION_HOURS))


def end_sessions(user: User, *, but: str | None = None) -> None:
    """Sign `user` out everywhere, except in the session with the key `but`. Those that nobody noted end too."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.session_key != but and session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()
    UserSession.objects.filter(user=user).exclude(session_key=but or "").delete()


def own_sessions(user: User) -> list[UserSession]:
    """Those that live, the one used last first."""
    return sorted(UserSession.objects.purge_and_list(user), key=lambda session: session.last_seen_at, reverse=True)


@sync_and_async_middleware
def session_use_middleware(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Notes when a session was used last, where its request had looked at it anyway."""
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await get_response(request)
            if _is_to_be_noted(request):
                await sync_to_async(_note_use)(request)
            return response

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        if _is_to_be_noted(request):
            _note_use(request)
        return response

    return synchronous


def _is_to_be_noted(request: HttpRequest) -> bool:
    session = request.session
    if not (session.accessed and session.session_key and SESSION_KEY in session):
        return False
    return cache.add(f"session-used-{session.session_key}", True, _PRECISION)


def _note_use(request: HttpRequest) -> None:
    with optional_write("the last use of a session"):
        if request.user.is_authenticated:
            UserSession.objects.create_from_request(request)
