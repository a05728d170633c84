"""Unanswered questions come into the inbox, each into one gap; who may see which."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from ingestion.models import Collection
from rag.insight.analytics.inbox import InboxGap, as_shown, counts_by_status, gaps_for, open_gaps, questions_of
from rag.insight.analytics.intake import DAYS, Gathered, gather_gaps
from rag.models import Conversation, Exchange, KnowledgeGap
from rag.services.gaps import change_gap
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db


def unanswered(text: str, *, days_ago: float = 0, **options: Any) -> Exchange:
    at = timezone.now() - timedelta(days=days_ago)
    return asked(text, at=at, **{"outcome": "not_found", "quality": "LOW", **options})


@pytest.fixture(scope="module")
def kept_bicycles(kept_rows: Kept) -> None:
    """Words that the documents know, beside which a bicycle is rare."""
    with kept_rows.writing():
        index_text(
            make_public(), "Pracownik może zamówić służbowy samochód. Pracownik zamawia dokument w sekretariacie."
        )
        unanswered("Gdzie zaparkować rower?", days_ago=3)
        unanswered("Gdzie można zaparkować rowery?", days_ago=2)
        unanswered("Kto naprawia windę?", days_ago=1)


@pytest.fixture
def bicycles(kept_bicycles: None, db: None) -> None:
    """What `kept_bicycles` wrote."""


def inbox(viewer: User, **filters: Any) -> list[InboxGap]:
    return as_shown(gaps_for(viewer).filter(**filters), viewer)


@pytest.mark.usefixtures("bicycles")
def test_questions_about_one_thing_are_one_gap_named_by_the_first(superuser: User) -> None:
    assert gather_gaps() == Gathered(new=2)
    assert [(one.name, one.times) for one in inbox(superuser)] == [
        ("Gdzie zaparkować rower?", 2),
        ("Kto naprawia windę?", 1),
    ]


@pytest.mark.usefixtures("bicycles")
def test_to_gather_again_changes_nothing(superuser: User) -> None:
    gather_gaps()
    before = list(KnowledgeGap.objects.values_list("pk", "modified", "exchanges"))
    assert gather_gaps() == Gathered()
    assert list(KnowledgeGap.objects.values_list("pk", "modified", "exchanges")) == before


@pytest.mark.usefixtures("bicycles")
def test_a_new_question_joins_the_gap_that_it_is_like(superuser: User) -> None:
    gather_gaps()
    unanswered("zaparkować rower gdzie")
    unanswered("Skąd wziąć drabinę?")
    assert gather_gaps() == Gathered(new=1, grown=1)
    assert [one.times for one in inbox(superuser)] == [3, 1, 1]


@pytest.mark.usefixtures("bicycles")
def test_a_question_asked_in_vain_after_the_answer_reopens_its_gap(superuser: User) -> None:
    gather_gaps()
    gap = inbox(superuser)[0].gap
    change_gap(gap=gap, change={"status": "answered"})
    unanswered("Gdzie zaparkować rower?", days_ago=-1 / 24)
    assert gather_gaps() == Gathered(grown=1, reopened=1)
    gap.refresh_from_db()
    assert gap.status == "new"
    assert gap.reopened


def test_only_questions_without_a_good_answer_of_late_come_in(superuser: User) -> None:
    unanswered("Pytanie dawne", days_ago=DAYS + 1)
    unanswered("Cześć", outcome="direct")
    unanswered("Pytanie z sieci", outcome="answered", web_fallback=True)
    asked("Pytanie z odpowiedzią", at=timezone.now())
    assert gather_gaps() == Gathered()
    unanswered("Słabe źródła", outcome="answered")
    assert gather_gaps() == Gathered(new=1)


def test_a_question_of_function_words_alone_comes_in_too(superuser: User) -> None:
    unanswered("i co?")
    unanswered("???")
    assert gather_gaps().new == 2


def test_people_are_counted_once(superuser: User, employee: User) -> None:
    questions = [unanswered("Gdzie zaparkować rower?") for _ in range(5)]
    for exchange, owner in zip(questions, (employee, employee, superuser, None, None), strict=True):
        Conversation.objects.filter(pk=exchange.conversation_id).update(owner=owner, session_key="" if owner else "s")
    gather_gaps()
    assert [(one.times, one.people) for one in inbox(superuser)] == [(5, 3)]


@pytest.mark.usefixtures("bicycles")
def test_what_rests_on_a_closed_collection_is_neither_named_nor_counted(
    restricted: Collection, employee: User, superuser: User
) -> None:
    unanswered("Gdzie parkuje rower dyrektor Nowak?", collections=(restricted,), days_ago=5)
    unanswered("Ile zarabia dyrektor?", collections=(restricted,))
    gather_gaps()
    assert any("dyrektor" in one.name for one in inbox(superuser))
    hers = inbox(employee)
    assert "dyrektor" not in " ".join(one.name for one in hers)
    assert sum(one.times for one in hers) == 3
    assert counts_by_status(employee)["new"] == len(hers)
    for one in hers:
        assert all("dyrektor" not in question.text for question in questions_of(one.gap, employee))


def test_personal_data_are_covered_for_whoever_may_not_see_them(employee: User, superuser: User) -> None:
    unanswered("Czy PESEL 44051401359 jest poprawny?")
    gather_gaps()
    assert "44051401359" in inbox(superuser)[0].name
    assert "44051401359" not in inbox(employee)[0].name
    employee.user_permissions.add(Permission.objects.get(codename="see_personal_data"))
    assert "44051401359" in inbox(User.objects.get(pk=employee.pk))[0].name


@pytest.mark.usefixtures("bicycles")
def test_open_gaps_are_new_and_in_work(superuser: User) -> None:
    gather_gaps()
    first, second = (one.gap for one in inbox(superuser))
    change_gap(gap=first, change={"status": "in_work"})
    assert len(open_gaps(superuser)) == 2
    change_gap(gap=second, change={"status": "answered"})
    assert [one.gap.pk for one in open_gaps(superuser)] == [first.pk]
    assert counts_by_status(superuser) == {"new": 0, "in_work": 1, "answered": 1, "dismissed": 0}


@pytest.mark.usefixtures("bicycles")
def test_a_gap_without_questions_goes(superuser: User) -> None:
    gather_gaps()
    Exchange.objects.filter(question="Gdzie zaparkować rower?").delete()
    assert [one.name for one in inbox(superuser)] == ["Kto naprawia windę?", "Gdzie można zaparkować rowery?"]
    Exchange.objects.all().delete()
    gather_gaps()
    assert not KnowledgeGap.objects.exists()
