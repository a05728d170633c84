"""Tokens of widgets: signed, bound to widget, origin and session, over after a quarter of an hour."""

import secrets
import time
from dataclasses import dataclass

from django.core import signing
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException

from rag.models import Widget

TOKEN_SECONDS = 15 * 60
LONGEST_SESSION = 12 * 60 * 60
"""Seconds for which a session may be renewed."""

_SALT = "rag.api.widget"


class InvalidToken(APIException):
    """401, so that a widget begins a new session."""

    status_code = 401
    default_code = "widget_token_invalid"
    default_detail = _("This session of the widget is over. Reload the page.")
    auth_header = 'Bearer realm="KnowledgeTree", error="invalid_token"'


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorSession:
    """A visitor's time with a widget. `key` owns the conversations, as that of a browser session does elsewhere."""

    widget: str
    origin: str
    key: str
    begun: int
    """Seconds since 1970."""

    @property
    def renewable(self) -> bool:
        return time.time() < self.begun + LONGEST_SESSION


def new_session(widget: Widget, origin: str) -> VisitorSession:
    """One with conversations of its own; its key is none that a cookie has."""
    key = f"widget-{secrets.token_urlsafe(24)}"
    return VisitorSession(widget=widget.public_id, origin=origin, key=key, begun=int(time.time()))


def token_of(session: VisitorSession) -> str:
    return signing.dumps([session.widget, session.origin, session.key, session.begun], salt=_SALT)


def session_of(token: str, *, widget: Widget, origin: str) -> VisitorSession:
    """Raises InvalidToken alike for one that is forged or over, of another widget, or from another page."""
    try:
        named, bound, key, begun = signing.loads(token, salt=_SALT, max_age=TOKEN_SECONDS)
    except (signing.BadSignature, ValueError) as error:
        raise InvalidToken from error
    session = VisitorSession(widget=named, origin=bound, key=key, begun=begun)
    if (session.widget, session.origin) != (widget.public_id, origin):
        raise InvalidToken
    return session
