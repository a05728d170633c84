"""What readers thought of answers is for superusers."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from rag.models import Feedback
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db
LIST = "admin:rag_feedback_changelist"


@pytest.fixture
def given(employee: User) -> Feedback:
    conversation = talk(employee)
    said_good, said_bad = said(conversation, "Ile trwa urlop?"), said(conversation, "Gdzie jest bufet?")
    Feedback.objects.create(exchange=said_good, user=employee, verdict="good")
    return Feedback.objects.create(exchange=said_bad, user=employee, verdict="bad", comment="Nie ma <b>bufetu</b>.")


def test_the_list_leads_to_the_question_and_is_narrowed_by_judgement(
    client: Client, superuser: User, given: Feedback
) -> None:
    client.force_login(superuser)
    shown = client.get(reverse(LIST), {"verdict__exact": "bad"}).content.decode()
    assert reverse("admin:rag_exchange_change", args=[given.exchange_id]) in shown
    assert "&lt;b&gt;bufetu" in shown
    assert "Ile trwa urlop?" not in shown
    assert client.get(reverse("admin:rag_feedback_change", args=[given.pk])).status_code == 200


def test_nobody_else_sees_it(client: Client, employee: User, given: Feedback) -> None:
    employee.is_staff = True
    employee.save()
    employee.user_permissions.add(Permission.objects.get(codename="view_feedback"))
    client.force_login(employee)
    assert client.get(reverse(LIST)).status_code == 403
    assert reverse(LIST) not in client.get(reverse("admin:index")).content.decode()


def test_nobody_rewrites_it(client: Client, superuser: User, given: Feedback) -> None:
    client.force_login(superuser)
    client.post(reverse("admin:rag_feedback_change", args=[given.pk]), {"comment": "Świetnie", "verdict": "good"})
    given.refresh_from_db()
    assert given.verdict == "bad"
    assert reverse(LIST) in client.get(reverse("admin:index")).content.decode()
