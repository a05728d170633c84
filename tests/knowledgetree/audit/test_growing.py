"""The log only grows, but for its term and the rights of people."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.utils import timezone

from ingestion.services.erasure import erase_document
from knowledgetree.audit.forgetting import erase_person, erase_texts_about, forget_old_entries
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.origin import entered
from knowledgetree.audit.recording import Subject, record_strictly
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.webhooks.models import Webhook, WebhookDelivery
from tests.ingestion.api.library import Library

Action = AuditEntry.Action


@pytest.fixture
def entry(db: None) -> AuditEntry:
    return record_strictly(Action.ASK, documents=[7], text="Ile dni urlopu?")


class TestNobodyRewritesIt:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE knowledgetree_auditentry SET action = 'search'",
            "UPDATE knowledgetree_auditentry SET text = ''",
            "DELETE FROM knowledgetree_auditentry",
            "TRUNCATE knowledgetree_auditentry",
        ],
    )
    def test_by_sql(self, entry: AuditEntry, statement: str) -> None:
        with pytest.raises(IntegrityError, match="only grows"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)

    def test_by_the_orm(self, entry: AuditEntry) -> None:
        for change in (entry.save, entry.delete, AuditEntry.objects.all().delete):
            with pytest.raises(IntegrityError), transaction.atomic():
                change()
        with pytest.raises(IntegrityError), transaction.atomic():
            AuditEntry.objects.update(user_name="ktoś inny")

    @pytest.mark.parametrize("assignment", ["action = 'search'", "text = 'coś innego'", "user_number = 1, text = ''"])
    def test_an_erasure_takes_words_away_and_changes_nothing_else(self, entry: AuditEntry, assignment: str) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('knowledgetree.audit', 'erasure', true)")
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"UPDATE knowledgetree_auditentry SET {assignment}")

    def test_a_reason_ends_with_its_transaction(self, entry: AuditEntry) -> None:
        with transaction.atomic():
            assert erase_texts_about(7) == 1
        with connection.cursor() as cursor:  # the savepoint's end keeps it, as the end of a transaction would not
            cursor.execute("SELECT set_config('knowledgetree.audit', '', true)")
        with pytest.raises(IntegrityError), transaction.atomic():
            AuditEntry.objects.update(text="")


class TestTheTerm:
    @pytest.fixture(autouse=True)
    def _years(self, db: None) -> None:
        for days in (800, 400, 10):
            AuditEntry.objects.create(action=Action.READ, door="page", at=timezone.now() - timedelta(days=days))

    def test_what_is_older_goes_and_that_it_went_is_recorded(self) -> None:
        assert forget_old_entries() == 2
        left = AuditEntry.objects.order_by("pk")
        assert [entry.action for entry in left] == [Action.READ, Action.FORGET]
        assert left[1].details["entries"] == 2
        assert forget_old_entries() == 0

    def test_it_is_as_set(self) -> None:
        with override_settings(RAG={**settings.RAG, "audit": {"days": 500}}):
            assert forget_old_entries() == 1

    def test_none_means_for_good(self) -> None:
        with override_settings(RAG={**settings.RAG, "audit": {"days": 0}}):
            assert forget_old_entries() == 0


class TestRights:
    def test_of_an_erased_document_the_deeds_stay_and_the_words_go(self, library: Library) -> None:
        document = library.ready["public"]
        Webhook.objects.create(
            name="x", url="https://x.pl", events=[AnnouncedEvent.DOCUMENT_READY], encrypted_secret="x"
        )
        announce(AnnouncedEvent.DOCUMENT_READY, document=document.pk, title=document.title)
        announce(AnnouncedEvent.DOCUMENT_READY, document=document.pk + 1000, title="Inny")
        with entered("page"):
            record_strictly(Action.ASK, documents=[document.pk, 999], text="Co mówi „Urlopy”?")
            other = record_strictly(Action.ASK, documents=[999], text="Inne pytanie")
        erase_document(document=document, erased_by=library.viewers["superuser"])
        asked = AuditEntry.objects.get(action=Action.ASK, documents__contains=[document.pk])
        assert asked.text == ""
        assert AuditEntry.objects.get(pk=other.pk).text == "Inne pytanie"
        erased = AuditEntry.objects.get(action=Action.ERASE)
        assert (erased.user_name, erased.documents) == ("superuser", [document.pk])
        assert "Inny" in WebhookDelivery.objects.get().body

    def test_of_a_person_the_number_stays_and_the_name_goes(self, library: Library) -> None:
        member = User.objects.get(username="member")
        mine = record_strictly(Action.ASK, viewer=member, text="Ile dni urlopu?")
        record_strictly(Action.UPDATE, subject=Subject.of(member), details={"changes": {"username": ["a", "member"]}})
        other = record_strictly(Action.ASK, viewer=library.viewers["signed_in"], text="Ile dni urlopu?")
        assert erase_person("member")
        mine.refresh_from_db()
        assert (mine.user_name, mine.text, mine.user_number, mine.action) == ("", "", member.pk, Action.ASK)
        about = AuditEntry.objects.filter(subject_type="auth.user", subject=str(member.pk))
        assert not about.exclude(label="").exists()
        assert "member" not in str(list(about.values_list("details", flat=True)))
        other.refresh_from_db()
        assert other.user_name == "signed_in"
        assert AuditEntry.objects.filter(action=Action.ERASE).count() == 1

    def test_the_command_does_it(self, library: Library, capsys: pytest.CaptureFixture[str]) -> None:
        record_strictly(Action.SIGN_IN, viewer=library.viewers["member"])
        call_command("audit", "--erase-person", "member")
        assert not AuditEntry.objects.filter(user_name="member").exists()
        erased = AuditEntry.objects.get(action=Action.ERASE)
        assert (erased.door, bool(erased.user_name)) == ("command", True)
