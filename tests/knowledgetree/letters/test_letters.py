"""Editors are told once of what they may read, when something is new, and by choice."""

from datetime import datetime, time

import pytest
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from ingestion.models import Collection, Document, Source, ValidityProposal
from knowledgetree.events.announcing import announce
from knowledgetree.events.models import Occurrence
from knowledgetree.events.registry import ONLY_TO_PROGRAMS, AnnouncedEvent
from knowledgetree.letters import writing
from knowledgetree.letters.check import letters
from knowledgetree.letters.models import Letter, LetterChoice
from knowledgetree.letters.sections import KINDS, kinds_for
from knowledgetree.letters.sending import send_news
from knowledgetree.letters.writing import forget_old_letters, write_letters
from rag.models import Conversation, Exchange
from rag.services.gaps import open_gap
from tests.conftest import index_in_job
from tests.knowledgetree.letters.conftest import begin_day
from tests.smtp_server import Postman

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _it_is_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "EARLIEST", time(0))


def break_document(collection: Collection, title: str = "Regulamin") -> Document:
    return index_in_job(collection, b"%PDF-1.7 broken", name="plik.pdf", title=title)


def told(post: Postman) -> list[str]:
    return [letter.get_body(("plain",)).get_content() for letter in post.letters]  # type: ignore[union-attr]


def choose(user: User, **said: object) -> None:
    LetterChoice.objects.filter(user=user).update(**said)


def test_letters_and_webhooks_choose_from_one_list() -> None:
    assert {kind.event for kind in KINDS} == set(AnnouncedEvent) - ONLY_TO_PROGRAMS


def test_what_failed_is_told_with_a_link_to_its_page_in_text_and_html(
    post: Postman, editor: User, public: Collection
) -> None:
    document = break_document(public, "Umowa Jana Kowalskiego")
    assert send_news() == 1
    (letter,) = post.letters
    page = f"https://wiedza.urzad.example/admin/ingestion/document/{document.pk}/change/"
    assert (letter["To"], letter["From"]) == ("redaktorka@urzad.example", "wiedza@urzad.example")
    assert letter["Subject"] == "KnowledgeTree: 1 nowa sprawa"
    text, page_text = told(post)[0], letter.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert page in text
    assert f'href="{page}"' in page_text
    assert "Dokumentu nie udało się odczytać: 1" in text
    assert "Kowalsk" not in text + page_text


def test_nothing_is_told_twice_and_nothing_is_sent_while_nothing_is_new(
    post: Postman, editor: User, public: Collection
) -> None:
    break_document(public)
    assert send_news() == 1
    begin_day(editor)
    assert send_news() == 0
    assert len(post.letters) == 1


def test_a_second_thing_of_the_day_waits_for_the_next(post: Postman, editor: User, public: Collection) -> None:
    break_document(public, "Pierwszy")
    send_news()
    break_document(public, "Drugi")
    assert send_news() == 0
    begin_day(editor)
    assert send_news() == 1
    assert "Drugi" in told(post)[1]
    assert "Pierwszy" not in told(post)[1]


def test_before_seven_nobody_is_written_to(
    post: Postman, editor: User, public: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "EARLIEST", time(23, 59, 59, 999999))
    break_document(public)
    assert write_letters() == 0


@pytest.mark.parametrize(("digested", "due"), [(datetime(2026, 11, 22), True), (datetime(2026, 11, 23), False)])
def test_a_weekly_digest_comes_with_the_week(digested: datetime, due: bool) -> None:
    choice = LetterChoice(rhythm="weekly", digested=digested.date())
    assert writing._digest_is_due(choice, datetime(2026, 11, 25, 8)) == due  # a Wednesday


def test_everybody_is_told_what_they_may_read(post: Postman, editor: User, restricted: Collection) -> None:
    break_document(restricted)
    assert send_news() == 0


def test_what_was_closed_or_mended_meanwhile_is_left_out(post: Postman, editor: User, public: Collection) -> None:
    document = break_document(public)
    assert write_letters() == 1
    Document.objects.filter(pk=document.pk).update(error_code="")
    assert send_news() == 0
    assert (post.letters, Letter.objects.count()) == ([], 0)


def test_a_reader_is_offered_no_letters_and_gets_none(post: Postman, employee: User, public: Collection) -> None:
    User.objects.filter(pk=employee.pk).update(email="pracownik@urzad.example")
    break_document(public)
    assert kinds_for(employee) == []
    assert send_news() == 0


@pytest.mark.parametrize("said", [{"rhythm": "never"}, {"declined": ["document.failed"]}])
def test_what_was_declined_is_not_told(
    post: Postman, editor: User, public: Collection, said: dict[str, object]
) -> None:
    choose(editor, **said)
    break_document(public)
    assert send_news() == 0


def test_what_cannot_wait_comes_at_once_by_choice(post: Postman, editor: User, public: Collection) -> None:
    choose(editor, digested=timezone.localdate())
    source = Source.objects.create(
        collection=public, name="Strona BIP", kind="web", location="https://x.pl", last_result={"status": "failed"}
    )
    break_document(public)
    announce(AnnouncedEvent.SOURCE_FAILED, about=[source.pk], source=source.pk)
    assert send_news() == 0
    choose(editor, urgent_at_once=True)
    assert send_news() == 1
    assert "Strona BIP" in told(post)[0]
    assert "Regulamin" not in told(post)[0]


def test_a_missed_backup_is_told_to_superusers(post: Postman, editor: User, superuser: User) -> None:
    User.objects.filter(pk=superuser.pk).update(email="admin@urzad.example", is_staff=True)
    write_letters()  # both have chosen nothing yet
    announce(AnnouncedEvent.BACKUP_MISSED, code="backup_failed")
    begin_day(editor)
    LetterChoice.objects.filter(user=superuser).update(digested=None)
    assert send_news() == 1
    assert [letter["To"] for letter in post.letters] == ["admin@urzad.example"]


def test_a_question_is_covered_in_a_letter_whoever_reads_it(post: Postman, editor: User) -> None:
    conversation = Conversation.objects.create(owner=editor)
    asked = Exchange.objects.create(
        conversation=conversation, question="Gdzie mieszka Jan Kowalski?", answer="", outcome="not_found"
    )
    gap = open_gap(exchanges=[asked.pk])
    assert send_news() == 1
    assert "Gdzie mieszka •" in told(post)[0]
    assert f"/admin/rag/knowledgegap/{gap.pk}/" in told(post)[0]


def test_a_letter_is_in_the_language_that_was_chosen(post: Postman, editor: User, public: Collection) -> None:
    choose(editor, language="en")
    break_document(public)
    send_news()
    assert post.letters[0]["Subject"] == "KnowledgeTree: 1 new matter"


def test_without_a_mail_server_nothing_is_written(editor: User, public: Collection, settings: Settings) -> None:
    settings.PUBLIC_ADDRESS = "https://wiedza.urzad.example"
    break_document(public)
    assert (send_news(), Letter.objects.count(), len(mail.outbox)) == (0, 0, 0)
    assert "EMAIL_HOST" in letters().detail


def test_old_ones_are_forgotten(editor: User, public: Collection) -> None:
    break_document(public)
    Occurrence.objects.update(created=timezone.now() - timezone.timedelta(days=31))  # type: ignore[attr-defined]
    assert forget_old_letters() == 1


def test_dates_that_wait_are_told_as_a_number_to_who_may_accept_them(
    post: Postman, editor: User, public: Collection, restricted: Collection
) -> None:
    for collection in (public, restricted):
        index_in_job(
            collection, "# Regulamin\n\nRegulamin wchodzi w życie z dniem 5 marca 2026 r.", name="regulamin.md"
        )
    assert send_news() == 0, "she sees documents, and may not change them"
    editor.user_permissions.add(Permission.objects.get(codename="change_document"))
    begin_day(editor)
    assert send_news() == 1
    (text,) = told(post)
    assert "1 data do przyjęcia albo odrzucenia" in text
    assert "https://wiedza.urzad.example/admin/ingestion/validityproposal/" in text
    assert "marca" not in text


def test_dates_that_were_decided_meanwhile_are_left_out(post: Postman, editor: User, public: Collection) -> None:
    editor.user_permissions.add(Permission.objects.get(codename="change_document"))
    index_in_job(public, "# Regulamin\n\nRegulamin wchodzi w życie z dniem 5 marca 2026 r.", name="regulamin.md")
    assert Occurrence.objects.filter(event="validities.proposed").count() == 1
    ValidityProposal.objects.update(decision=ValidityProposal.Decision.REJECTED)
    assert send_news() == 0
