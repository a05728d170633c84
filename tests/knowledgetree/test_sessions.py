from datetime import timedelta

import pytest
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from knowledgetree.sessions import SessionStore

pytestmark = pytest.mark.django_db


def kept() -> str:
    """The key of a session that Django's own store has kept."""
    session = db.SessionStore()
    session["name"] = "Zażółć"
    session.create()
    return str(session.session_key)


def test_a_session_of_djangos_store_is_read() -> None:
    assert SessionStore(kept())["name"] == "Zażółć"


def test_djangos_store_reads_what_is_kept_here() -> None:
    session = SessionStore()
    session["name"] = "gęś"
    session.create()
    assert db.SessionStore(session.session_key)["name"] == "gęś"


def test_an_expired_session_is_empty_and_gets_another_key() -> None:
    key = kept()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    session = SessionStore(key)
    assert session.get("name") is None
    session["name"] = "x"
    session.save()
    assert session.session_key != key


def test_a_deleted_session_is_empty() -> None:
    key = kept()
    SessionStore(key).delete()
    assert SessionStore(key).get("name") is None


def test_a_session_that_somebody_changed_is_empty() -> None:
    key = kept()
    Session.objects.update(session_data="eyJuYW1lIjoieCJ9:1abcde:forged")
    assert SessionStore(key).get("name") is None
