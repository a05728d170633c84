"""What was asked before signing in becomes the account's."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest

from rag.models import Conversation, Feedback, GapReport

ASKED_AS = "asked_as"
"""In the session: the key under which it asked before anybody signed in, which gives it another one."""


def give_session_questions(*, request: HttpRequest | None, user: User, **signal: Any) -> None:
    """Where somebody signs in: see `give_questions`."""
    if request is not None and (key := request.session.pop(ASKED_AS, "")):
        give_questions(owner=user, session_key=key)


@transaction.atomic
def give_questions(*, owner: User, session_key: str) -> None:
    """What a browser session asked, judged and reported belongs to `owner` now."""
    if not session_key:
        return
    Conversation.objects.filter(owner=None, session_key=session_key).update(owner=owner, session_key="")
    for model in (Feedback, GapReport):
        model._default_manager.filter(user=None, session_key=session_key).update(user=owner, session_key="")
