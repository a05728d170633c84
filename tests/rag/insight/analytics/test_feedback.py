"""Judgements of a period are those of its answers."""

from datetime import timedelta

import pytest
from django.utils import timezone

from rag.insight.analytics import period_called
from rag.insight.analytics.feedback import Judged, judged_in
from rag.models import Feedback
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db


def test_without_judgements_there_is_no_share() -> None:
    asked(at=timezone.now())
    none = judged_in(period_called("7d"))
    assert none == Judged(good=0, bad=0, commented=0)
    assert none.share is None


def test_judgements_of_earlier_answers_do_not_count() -> None:
    now, earlier = asked(at=timezone.now()), asked(at=timezone.now() - timedelta(days=9))
    Feedback.objects.create(exchange=now, session_key="a", verdict="good", comment="Dobrze.")
    Feedback.objects.create(exchange=now, session_key="b", verdict="bad")
    Feedback.objects.create(exchange=earlier, session_key="a", verdict="bad")
    judged = judged_in(period_called("7d"))
    assert judged == Judged(good=1, bad=1, commented=1)
    assert judged.share == 0.5
