"""What is decided about a knowledge gap, and what a gap leaves behind."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from rag.models import Conversation, EvaluationDataset, KnowledgeGap
from rag.services.gaps import InvalidGap, add_gap_case, change_gap, forget_empty_gaps, join_gap, open_gap
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db


@pytest.fixture
def gap(db: None) -> KnowledgeGap:
    return open_gap(exchanges=[asked("Gdzie jest kwarcolit?", at=timezone.now(), outcome="not_found").pk])


def test_only_what_changed_is_named(gap: KnowledgeGap, superuser: User) -> None:
    change = {"status": "in_work", "assignee": superuser, "task": "  Opisać złoże. ", "note": ""}
    assert change_gap(gap=gap, change=change) == ["status", "assignee", "task"]  # type: ignore[arg-type]
    gap.refresh_from_db()
    assert (gap.status, gap.assignee, gap.task) == ("in_work", superuser, "Opisać złoże.")
    assert change_gap(gap=gap, change={"task": "Opisać złoże."}) == []


def test_a_gap_is_dismissed_with_a_reason_only(gap: KnowledgeGap) -> None:
    with pytest.raises(InvalidGap):
        change_gap(gap=gap, change={"status": "dismissed", "note": "  "})
    gap.refresh_from_db()
    assert gap.status == "new"
    change_gap(gap=gap, change={"status": "dismissed", "note": "To nie nasza sprawa."})
    with pytest.raises(InvalidGap):
        change_gap(gap=gap, change={"status": "zamknięta"})


def test_a_question_asked_after_the_answer_reopens_the_gap(gap: KnowledgeGap) -> None:
    change_gap(gap=gap, change={"status": "answered"})
    before, after = timezone.now() - timedelta(days=1), timezone.now() + timedelta(seconds=1)
    assert not join_gap(gap=gap, exchanges=[asked("kwarcolit gdzie", at=before, outcome="not_found").pk])
    assert join_gap(gap=gap, exchanges=[asked("Gdzie ten kwarcolit?", at=after, outcome="not_found").pk])
    gap.refresh_from_db()
    assert gap.status == "new"
    assert gap.reopened
    change_gap(gap=gap, change={"status": "in_work"})
    gap.refresh_from_db()
    assert not gap.reopened


def test_a_dismissed_gap_stays_so_when_it_is_asked_again(gap: KnowledgeGap) -> None:
    change_gap(gap=gap, change={"status": "dismissed", "note": "Nie nasze."})
    again = asked("Gdzie jest kwarcolit?", at=timezone.now() + timedelta(days=1), outcome="not_found")
    assert not join_gap(gap=gap, exchanges=[again.pk])
    gap.refresh_from_db()
    assert (gap.status, gap.exchanges.count()) == ("dismissed", 2)


def test_deleted_questions_leave_no_copy_in_their_gap(gap: KnowledgeGap) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM rag_knowledgegap g WHERE g::text ILIKE '%kwarcolit%'")
        assert cursor.fetchone()[0] == 0
    Conversation.objects.all().delete()
    assert forget_empty_gaps() == 1
    assert not KnowledgeGap.objects.exists()


def test_an_owner_who_goes_takes_the_questions_along(gap: KnowledgeGap, employee: User) -> None:
    Conversation.objects.update(owner=employee)
    change_gap(gap=gap, change={"assignee": employee})
    employee.delete()
    gap.refresh_from_db()
    assert gap.assignee is None
    assert not gap.exchanges.exists()


def test_a_case_has_the_words_that_are_expected(db: None) -> None:
    dataset = EvaluationDataset.objects.create(name="Luki")
    words = [" 26 dni ", "", "26 dni", "rocznie"]
    case = add_gap_case(dataset=dataset, text="Ile dni urlopu?", answerable=True, words=words)
    assert case.expected_answer_contains == ["26 dni", "rocznie"]
    again = add_gap_case(dataset=dataset, text="Ile dni urlopu?", answerable=True, words=["inne"])
    assert (again.pk, again.expected_answer_contains) == (case.pk, ["26 dni", "rocznie"])
    assert not add_gap_case(dataset=dataset, text="Kto jutro wygra?", answerable=False).answerable
