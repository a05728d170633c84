"""The page of one's own account."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from ingestion.selectors import own_keys
from knowledgetree.identity.models import DirectoryAccount
from knowledgetree.identity.sessions import own_sessions
from rag.chat.account.browsers import browser_in_words
from rag.chat.account.keys import may_make_keys
from rag.chat.account.letters import letter_form


@never_cache
@login_required
def account(request: HttpRequest) -> HttpResponse:
    user: User = request.user  # type: ignore[assignment]
    return render(
        request,
        "account/account.html",
        {
            "directory": DirectoryAccount.objects.filter(user=user).first(),
            "groups": list(user.groups.order_by("name").values_list("name", flat=True)),
            "second_factor": _second_factor(user),
            "sessions": _sessions(request, user),
            "keys": own_keys(user).prefetch_related("collections"),
            "may_make_keys": may_make_keys(user),
            "letters": letter_form(user),
            "letters_saved": "letters" in request.GET,
        },
    )


def _second_factor(user: User) -> dict[str, Any]:
    """Whether there is one, and how many codes are left for a lost telephone."""
    found = {one.type: one.wrap() for one in Authenticator.objects.filter(user=user)}
    codes = found.get(Authenticator.Type.RECOVERY_CODES)
    return {"on": Authenticator.Type.TOTP in found, "codes": len(codes.get_unused_codes()) if codes else 0}


def _sessions(request: HttpRequest, user: User) -> list[dict[str, Any]]:
    return [
        {
            "pk": session.pk,
            "browser": browser_in_words(session.user_agent),
            "address": session.ip,
            "used": session.last_seen_at,
            "is_this": session.session_key == request.session.session_key,
        }
        for session in own_sessions(user)
    ]
