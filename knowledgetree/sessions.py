"""Django's sessions, read by a statement that is written down: composing it anew took longer than its answer.

Table, keys and signatures are those of `django.contrib.sessions.backends.db`; nobody is signed out by the change.
"""

from typing import Any

from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

_LIVING = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        with connection.cursor() as cursor:
            cursor.execute(_LIVING, [self.session_key, timezone.now()])
            found = cursor.fetchone()
        if found is None:
            self._session_key = None
            return {}
        kept: dict[str, Any] = self.decode(found[0])
        return kept
