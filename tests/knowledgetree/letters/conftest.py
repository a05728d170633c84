from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone
from pytest_django import Settings

from knowledgetree.letters.models import LetterChoice
from knowledgetree.letters.writing import ensure_choice
from tests.smtp_server import Postman, running_smtp_server

SEEN = ("view_document", "view_source", "view_knowledgegap", "view_evaluationrun", "view_evaluationdataset")


@pytest.fixture
def post(settings: Settings) -> Iterator[Postman]:
    with running_smtp_server(settings) as postman:
        yield postman


@pytest.fixture
def editor(db: None) -> User:
    """Who looks after everything in public collections, and chose nothing. Yesterday's letter is behind her."""
    user = User.objects.create_user("redaktorka", email="redaktorka@urzad.example", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=SEEN))
    ensure_choice(user)
    begin_day(user)
    return user


def begin_day(user: User) -> None:
    """The next digest is due."""
    LetterChoice.objects.filter(user=user).update(digested=timezone.localdate() - timedelta(days=8))
