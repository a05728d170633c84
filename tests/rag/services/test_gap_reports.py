"""A reader says that the documents lack an answer."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from ingestion.models import Collection, Document
from rag.insight.analytics.inbox import as_shown, gaps_for, reports_of
from rag.insight.analytics.intake import gather_gaps
from rag.models import Exchange, GapReport
from rag.services.erasure import erase_from_conversations
from rag.services.gap_reports import report_gap, reported_by
from rag.services.gaps import InvalidGap
from tests.conftest import AddDocument
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def exchange(employee: User, public: Collection) -> Exchange:
    return said(talk(employee), "Gdzie jest kwarcolit?", "Nie.", collections=(public,), outcome="not_found")


def test_the_first_report_of_a_reader_stands(exchange: Exchange, employee: User) -> None:
    first = report_gap(exchange=exchange.pk, viewer=employee, comment="  Złoże\x00 w \r\n Lipowie. ")
    again = report_gap(exchange=exchange.pk, viewer=employee, comment="Co innego.")
    assert (again.pk, again.comment) == (first.pk, "Złoże w Lipowie.")
    assert reported_by(exchange.conversation_id, employee) == {exchange.pk}


def test_readers_of_a_shared_conversation_report_for_themselves(
    exchange: Exchange, employee: User, member: User
) -> None:
    report_gap(exchange=exchange.pk, viewer=employee)
    with pytest.raises(Exchange.DoesNotExist):
        report_gap(exchange=exchange.pk, viewer=member)
    exchange.conversation.shared = timezone.now()
    exchange.conversation.save()
    assert reported_by(exchange.conversation_id, member) == set()
    report_gap(exchange=exchange.pk, viewer=member)
    assert GapReport.objects.count() == 2


def test_a_browser_session_reports_once_and_a_stranger_not_at_all(anonymous: AnonymousUser) -> None:
    own = said(talk(None, session_key="abc"), "Gdzie jest kwarcolit?", "Nie.", outcome="not_certain")
    for _ in range(2):
        report_gap(exchange=own.pk, viewer=anonymous, session_key="abc")
    assert GapReport.objects.count() == 1
    for session_key in ("", "xyz"):
        with pytest.raises(Exchange.DoesNotExist):
            report_gap(exchange=own.pk, viewer=anonymous, session_key=session_key)
    assert reported_by(own.conversation_id, anonymous) == set()


@pytest.mark.parametrize(("outcome", "comment"), [("answered", ""), ("direct", ""), ("not_found", "x" * 501)])
def test_what_cannot_be_reported_is_refused(employee: User, outcome: str, comment: str) -> None:
    other = said(talk(employee), "Ile trwa urlop?", "26 dni.", outcome=outcome)
    with pytest.raises(InvalidGap):
        report_gap(exchange=other.pk, viewer=employee, comment=comment)


def test_the_inbox_counts_reports_and_shows_what_was_written(
    exchange: Exchange, employee: User, superuser: User
) -> None:
    other = said(talk(employee), "Gdzie jest ten kwarcolit?", "Nie.", outcome="not_found")
    report_gap(exchange=exchange.pk, viewer=employee, comment="Złoże w Lipowie.")
    report_gap(exchange=other.pk, viewer=employee)
    gather_gaps()
    gap = gaps_for(superuser).get()
    shown = as_shown([gap], superuser)[0]
    assert (shown.times, shown.people, shown.reports) == (2, 1, 2)
    assert [one.comment for one in reports_of(gap, superuser)] == ["Złoże w Lipowie."]


def test_reports_of_questions_that_an_editor_may_not_read_are_not_shown(
    exchange: Exchange, employee: User, superuser: User, restricted: Collection
) -> None:
    exchange.collections.set([restricted])
    GapReport.objects.create(exchange=exchange, user=superuser, comment="Tajne.")
    said(talk(employee), "Gdzie jest ten kwarcolit?", "Nie.", outcome="not_found")
    gather_gaps()
    gap = gaps_for(employee).get()
    assert as_shown([gap], employee)[0].reports == 0
    assert reports_of(gap, employee) == []
    assert len(reports_of(gap, superuser)) == 1


def test_what_was_written_goes_with_an_erased_document(employee: User, public: Collection, index: AddDocument) -> None:
    document: Document = index(public, "# Złoże\n\nKwarcolit leży w Lipowie.\n")
    asked = said(talk(employee), "Gdzie jest kwarcolit?", "Nie.", cites=(document,), outcome="not_certain")
    report_gap(exchange=asked.pk, viewer=employee, comment="W Lipowie.")
    erase_from_conversations(document=document)
    assert GapReport.objects.get().comment == ""
