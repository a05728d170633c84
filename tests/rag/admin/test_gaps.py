"""The inbox of knowledge gaps in the admin."""

import csv
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.models import Collection
from rag.insight.analytics.intake import gather_gaps
from rag.models import EvaluationDataset, EvaluationQuestion, Exchange, KnowledgeGap
from tests.conftest import AddDocument
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db

INBOX = "admin:rag_knowledgegap_changelist"
QUESTION = "Gdzie zaparkować rower?"


@pytest.fixture
def editor(restricted: Collection) -> User:
    """May work on gaps, but not see the restricted collection."""
    user = User.objects.create_user("redaktor", password="haslo", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_knowledgegap", "change_knowledgegap"]))
    return user


@pytest.fixture
def chief(client: Client, superuser: User) -> Client:
    client.force_login(superuser)
    return client


def unanswered(text: str = QUESTION, **options: Any) -> Exchange:
    return asked(text, at=timezone.now(), outcome="not_found", quality="LOW", **options)


def gap_of(text: str = QUESTION, **options: Any) -> KnowledgeGap:
    exchange = unanswered(text, **options)
    gather_gaps()
    return KnowledgeGap.objects.get(exchanges=exchange)


def address(gap: KnowledgeGap, page: str = "change") -> str:
    return reverse(f"admin:rag_knowledgegap_{page}", args=[gap.pk])


def test_it_is_for_those_who_may_see_gaps(client: Client, employee: User, editor: User) -> None:
    gap = gap_of()
    addresses = [reverse(INBOX), reverse("admin:rag_knowledgegap_export"), address(gap)]
    employee.is_staff = True
    employee.save()
    client.force_login(employee)
    assert [client.get(one).status_code for one in addresses] == [403, 403, 403]
    assert reverse(INBOX) not in client.get(reverse("admin:index")).content.decode()
    client.force_login(editor)
    assert [client.get(one).status_code for one in addresses] == [200, 200, 200]
    assert reverse(INBOX) in client.get(reverse("admin:index")).content.decode()


def test_who_may_only_look_changes_nothing(client: Client, editor: User) -> None:
    gap = gap_of()
    editor.user_permissions.remove(Permission.objects.get(codename="change_knowledgegap"))
    client.force_login(editor)
    assert "<textarea" not in client.get(address(gap)).content.decode()
    assert client.post(address(gap), {"status": "in_work"}).status_code == 403
    assert client.post(address(gap, "answered")).status_code == 403
    gap.refresh_from_db()
    assert gap.status == "new"


def test_a_gap_of_a_closed_collection_is_not_there(client: Client, editor: User, restricted: Collection) -> None:
    gap = gap_of("Ile zarabia dyrektor?", collections=(restricted,))
    client.force_login(editor)
    assert "dyrektor" not in client.get(reverse(INBOX)).content.decode()
    assert "dyrektor" not in client.get(reverse("admin:rag_knowledgegap_export")).content.decode()
    statuses = [client.get(address(gap)).status_code, client.post(address(gap), {"status": "in_work"}).status_code]
    assert [*statuses, client.post(address(gap, "ask")).status_code, client.get(address(gap, "case")).status_code] == [
        404,
        404,
        404,
        404,
    ]


def test_opening_the_inbox_brings_new_questions_in(chief: Client) -> None:
    unanswered()
    page = chief.get(reverse(INBOX)).content.decode()
    assert QUESTION in page
    assert 'aria-current="page"' in page
    assert QUESTION not in chief.get(reverse(INBOX), {"status": "answered"}).content.decode()


def test_the_sidebar_counts_new_gaps(chief: Client, editor: User, restricted: Collection) -> None:
    gap_of()
    gap_of("Ile zarabia dyrektor?", collections=(restricted,))
    from rag.admin.gaps.gaps import badge

    request = chief.get(reverse("admin:index")).wsgi_request
    assert badge(request) == "2"
    request.user = editor
    assert badge(request) == "1"
    KnowledgeGap.objects.update(status="in_work")
    assert badge(request) == ""


def test_a_task_is_written_assigned_and_logged(chief: Client, editor: User) -> None:
    gap = gap_of()
    change = {"status": "in_work", "assignee": editor.pk, "task": "Opisać stojaki.", "note": ""}
    assert chief.post(address(gap), change).status_code == 302
    gap.refresh_from_db()
    assert (gap.status, gap.assignee, gap.task) == ("in_work", editor, "Opisać stojaki.")
    entry = LogEntry.objects.get()
    assert QUESTION not in f"{entry.object_repr} {entry.change_message}"
    listed = chief.get(reverse(INBOX), {"status": "in_work"}).content.decode()
    assert "Opisać stojaki." in listed
    assert QUESTION not in chief.get(reverse(INBOX), {"status": "in_work", "mine": "1"}).content.decode()


def test_dismissing_wants_a_reason(chief: Client) -> None:
    gap = gap_of()
    assert chief.post(address(gap), {"status": "dismissed", "task": "", "note": ""}).status_code == 200
    gap.refresh_from_db()
    assert gap.status == "new"
    chief.post(address(gap), {"status": "dismissed", "task": "", "note": "Nie nasze."})
    gap.refresh_from_db()
    assert gap.status == "dismissed"


def test_asking_again_says_whether_it_is_answered_by_now(chief: Client, public: Collection, index: AddDocument) -> None:
    gap = gap_of()
    number = Exchange.objects.count()
    first = chief.post(address(gap, "ask"))
    assert first.context["answer"].outcome == "not_found"
    index(public, "Rower można zaparkować przy wejściu od ulicy Polnej.", name="rowery.txt", title="Rowery")
    second = chief.post(address(gap, "ask"))
    assert second.context["answer"].outcome == "answered"
    page = second.content.decode()
    assert "ulicy Polnej" in page
    assert 'id="nearest"' in page
    assert "Rowery" in page
    assert Exchange.objects.count() == number
    assert chief.post(address(gap, "answered")).status_code == 302
    gap.refresh_from_db()
    assert gap.status == "answered"
    assert gap.answered


def test_a_case_is_made_of_it_with_personal_data_covered(chief: Client) -> None:
    gap = gap_of("Czy PESEL 44051401359 jest poprawny?")
    assert chief.get(address(gap, "case")).status_code == 404
    dataset = EvaluationDataset.objects.create(name="Luki")
    form = chief.get(address(gap, "case")).content.decode()
    assert "44051401359" not in form
    sent = {"dataset": dataset.pk, "question": "Czy PESEL jest poprawny?", "answerable": "on", "words": "cyfra\nsuma"}
    assert chief.post(address(gap, "case"), sent).status_code == 302
    case = EvaluationQuestion.objects.get()
    assert (case.text, case.answerable, case.expected_answer_contains) == (
        "Czy PESEL jest poprawny?",
        True,
        ["cyfra", "suma"],
    )
    del sent["answerable"]
    assert chief.post(address(gap, "case"), sent).status_code == 200


def test_who_may_not_add_to_a_set_makes_no_case(client: Client, editor: User) -> None:
    gap = gap_of()
    EvaluationDataset.objects.create(name="Luki")
    client.force_login(editor)
    assert client.get(address(gap, "case")).status_code == 404


def test_open_gaps_are_exported_without_personal_data_and_formulas(chief: Client) -> None:
    gap = gap_of("=HYPERLINK(0) czy PESEL 44051401359 jest *poprawny*?")
    KnowledgeGap.objects.update(task="Sprawdzić\nraz")
    rows = list(
        csv.reader(chief.get(reverse("admin:rag_knowledgegap_export")).content.decode()[1:].splitlines(), delimiter=";")
    )
    assert rows[1][0] == str(gap.pk)
    assert rows[1][1].startswith("'=HYPERLINK")
    text = chief.get(reverse("admin:rag_knowledgegap_export"), {"format": "md"}).content.decode()
    assert "\\*poprawny\\*" in text
    assert "  Sprawdzić\n  raz" in text
    assert "44051401359" not in text + str(rows)
    KnowledgeGap.objects.update(status="answered")
    assert "HYPERLINK" not in chief.get(reverse("admin:rag_knowledgegap_export")).content.decode()


def test_a_question_leads_to_its_gap(chief: Client) -> None:
    gap = gap_of()
    found = reverse("admin:rag_knowledgegap_of_question", args=[gap.exchanges.get().pk])
    assert chief.get(found)["Location"] == address(gap)
    answered = asked("Co innego?", at=timezone.now())
    other = reverse("admin:rag_knowledgegap_of_question", args=[answered.pk])
    assert chief.get(other)["Location"] == reverse(INBOX)


def test_the_dashboard_leads_to_the_inbox_for_those_who_may_open_it(chief: Client, editor: User) -> None:
    exchange = unanswered()
    dashboard = reverse("admin:rag_dashboard_changelist")
    link = reverse("admin:rag_knowledgegap_of_question", args=[exchange.pk])
    assert link in chief.get(dashboard).content.decode()
    editor.user_permissions.set(Permission.objects.filter(codename="view_exchange"))
    chief.force_login(editor)
    page = chief.get(dashboard).content.decode()
    assert QUESTION in page
    assert link not in page


def test_what_people_typed_is_text_and_no_markup(chief: Client) -> None:
    gap = gap_of("<img src=x onerror=alert(1)>")
    for page in (chief.get(reverse(INBOX)), chief.get(address(gap))):
        assert "<img src=x" not in page.content.decode()
