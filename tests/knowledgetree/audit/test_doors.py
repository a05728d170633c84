"""Who reads, asks, searches, downloads and exports is in the log, by whatever door they came in."""

import io
import json

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from ingestion.models import Collection
from ingestion.services.api_keys import create_key
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.origin import entered, kept_address
from knowledgetree.audit.recording import FAILURES
from rag.models import Conversation
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from rag.services.search import search_passages
from tests.ingestion.api.library import Library
from tests.streamed import streamed_body

QUESTION = "Ile dni urlopu wypoczynkowego przysługuje pracownikowi?"
Action = AuditEntry.Action


def only(action: Action) -> AuditEntry:
    return AuditEntry.objects.get(action=action)


def bearer(user: User, *scopes: str) -> tuple[Client, str]:
    key, secret = create_key(name="intranet", owner=user, scopes=scopes)
    return Client(headers={"Authorization": f"Bearer {secret}"}), key.prefix


class TestQuestions:
    def test_one_on_the_page_with_what_was_cited(self, library: Library) -> None:
        library.client("member").post("/ask/", {"question": QUESTION})
        entry = only(Action.ASK)
        assert (entry.door, entry.user_name, entry.outcome, entry.text) == ("page", "member", "answered", QUESTION)
        assert set(entry.documents) <= {document.pk for document in library.ready.values()}
        assert entry.documents
        assert set(entry.collections) == {collection.pk for collection in library.collections.values()}

    def test_one_by_the_api_with_a_key(self, library: Library) -> None:
        client, prefix = bearer(User.objects.get(username="member"), "ask")
        client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
        entry = only(Action.ASK)
        assert (entry.door, entry.user_name, entry.key) == ("api", "member", prefix)

    def test_one_by_openai_s_api(self, library: Library) -> None:
        client, prefix = bearer(User.objects.get(username="member"), "ask")
        messages = [{"role": "user", "content": QUESTION}]
        client.post("/v1/chat/completions", {"model": "knowledgetree", "messages": messages}, "application/json")
        entry = only(Action.ASK)
        assert (entry.door, entry.key, entry.outcome) == ("openai", prefix, "answered")

    def test_two_anonymous_readers_are_told_apart_and_lead_to_nobody(self, library: Library) -> None:
        for _reader in range(2):
            client = Client()
            client.post("/ask/", {"question": QUESTION})
            client.post("/ask/", {"question": "Ile trwa urlop?"})
        sessions = [entry.session for entry in AuditEntry.objects.filter(action=Action.ASK)]
        assert len(sessions) == 4
        assert len(set(sessions)) == 2
        assert not set(sessions) & set(Conversation.objects.values_list("session_key", flat=True))

    def test_one_that_is_broken_off(self, library: Library) -> None:
        with entered("page"):
            events = ask(AskRequest(question=QUESTION, viewer=library.viewers["member"], save=False))
            next(events)
            events.close()
        assert only(Action.ASK).outcome == "cancelled"

    def test_one_that_was_refused(self, library: Library) -> None:
        library.client("member").post("/ask/", {"question": " "})
        assert only(Action.ASK).outcome == "invalid_question"

    def test_what_the_program_asks_by_itself_is_nobody_s(self, library: Library) -> None:
        answer_question(QUESTION, viewer=library.viewers["superuser"], save=False)
        search_passages(query="urlop", viewer=library.viewers["superuser"])
        assert not AuditEntry.objects.filter(action__in=[Action.ASK, Action.SEARCH]).exists()

    def test_personal_data_are_covered(self, library: Library) -> None:
        library.client("member").post("/ask/", {"question": "Czy PESEL 44051401359 ma urlop?"})
        assert only(Action.ASK).text == "Czy PESEL ••••••••••• ma urlop?"

    def test_where_a_collection_masks_no_words_are_kept(self, library: Library) -> None:
        Collection.objects.filter(slug="public").update(mask_personal_data=True)
        library.client("superuser").post("/ask/", {"question": QUESTION})
        entry = only(Action.ASK)
        assert entry.text == ""
        assert entry.documents

    def test_words_are_kept_nowhere_if_so_set(self, library: Library) -> None:
        with override_settings(RAG={**settings.RAG, "audit": {"questions": "none"}}):
            library.client("member").post("/ask/", {"question": QUESTION})
        assert only(Action.ASK).text == ""

    def test_an_answer_is_given_where_the_log_cannot_be_written(self, library: Library) -> None:
        client, failed = library.client("member"), FAILURES._value.get()
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE knowledgetree_auditentry ADD CONSTRAINT full_disk CHECK (action <> 'ask')")
        response = client.post("/ask/", {"question": QUESTION}, follow=True)
        assert "20 dni" in response.content.decode()
        assert FAILURES._value.get() == failed + 1


class TestReading:
    def test_a_page_of_a_document(self, library: Library) -> None:
        document = library.ready["internal"]
        library.client("signed_in").get(f"/documents/{document.pk}/")
        entry = only(Action.READ)
        assert (entry.user_name, entry.documents, entry.door) == ("signed_in", [document.pk], "page")

    def test_nobody_is_noted_for_what_they_may_not_read(self, library: Library) -> None:
        assert library.client("anonymous").get(f"/documents/{library.ready['internal'].pk}/").status_code == 404
        assert not AuditEntry.objects.filter(action=Action.READ).exists()

    def test_the_chunks_of_a_document(self, library: Library) -> None:
        client, prefix = bearer(User.objects.get(username="member"), "documents:read")
        client.get(f"/api/documents/{library.ready['restricted'].pk}/chunks")
        assert (only(Action.READ).key, only(Action.READ).documents) == (prefix, [library.ready["restricted"].pk])

    def test_an_original(self, library: Library) -> None:
        document = library.ready["public"]
        response = library.client("member").get(f"/documents/{document.pk}/original/")
        assert b"Urlopy" in streamed_body(response)
        assert only(Action.DOWNLOAD).documents == [document.pk]

    def test_an_original_that_is_refused(self, library: Library) -> None:
        Collection.objects.filter(slug="public").update(mask_personal_data=True)
        assert library.client("member").get(f"/documents/{library.ready['public'].pk}/original/").status_code == 403
        assert only(Action.DOWNLOAD).outcome == "refused"

    def test_an_original_stays_where_its_leaving_cannot_be_recorded(self, library: Library) -> None:
        client = library.client("member")
        client.raise_request_exception = False
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE knowledgetree_auditentry ADD CONSTRAINT full_disk CHECK (action <> 'download')")
        response = client.get(f"/documents/{library.ready['public'].pk}/original/")
        assert response.status_code == 500
        assert b"Urlopy" not in response.content

    def test_a_search_with_what_it_found(self, library: Library) -> None:
        client, _prefix = bearer(User.objects.get(username="member"), "search")
        client.get("/api/search", {"query": "urlop wypoczynkowy"})
        entry = only(Action.SEARCH)
        assert entry.text == "urlop wypoczynkowy"
        assert set(entry.documents) == {document.pk for document in library.ready.values()}

    def test_a_conversation_taken_away(self, library: Library) -> None:
        client = library.client("member")
        client.post("/ask/", {"question": QUESTION})
        conversation = Conversation.objects.get()
        client.get(f"/c/{conversation.pk}/export.json")
        entry = only(Action.EXPORT)
        assert (entry.subject_type, entry.subject) == ("rag.conversation", str(conversation.pk))

    def test_a_conversation_that_a_superuser_opens(self, library: Library) -> None:
        library.client("member").post("/ask/", {"question": QUESTION})
        conversation = Conversation.objects.get()
        client = library.client("superuser")
        client.get(f"/admin/rag/conversation/{conversation.pk}/change/")
        client.get(reverse("chat:reviewed", args=[conversation.pk]))
        entries = AuditEntry.objects.filter(action=Action.READ).order_by("pk")
        assert [(entry.user_name, entry.door) for entry in entries] == [("superuser", "admin"), ("superuser", "page")]
        assert {entry.subject for entry in entries} == {str(conversation.pk)}


class TestChanges:
    def test_fields_by_the_api_and_what_becomes_of_a_document(self, library: Library) -> None:
        document = library.ready["public"]
        client = library.client("superuser")
        client.patch(f"/api/documents/{document.pk}", {"category": "kadry"}, content_type="application/json")
        entry = AuditEntry.objects.get(action=Action.UPDATE, documents=[document.pk])
        assert (entry.user_name, entry.details) == ("superuser", {"fields": ["category"]})

    def test_a_chunk_that_an_editor_words_anew(self, library: Library) -> None:
        chunk = library.ready["public"].chunks.first()
        assert chunk
        page = f"/admin/ingestion/chunk/{chunk.pk}/change/"
        library.client("superuser").post(page, {"text": "Urlop trwa 21 dni, tajne.", "enabled": "on"})
        entry = AuditEntry.objects.get(action=Action.UPDATE, subject_type="ingestion.chunk")
        assert (entry.subject, entry.documents) == (str(chunk.pk), [library.ready["public"].pk])
        assert "tajne" not in str(list(AuditEntry.objects.values()))


class TestSigningIn:
    @pytest.fixture(autouse=True)
    def _reader(self, db: None) -> None:
        User.objects.create_user("czytelnik", password="tajne-haslo")

    def test_in_and_out(self) -> None:
        client = Client()
        client.post("/login/", {"login": "czytelnik", "password": "tajne-haslo"})
        client.post("/logout/")
        entries = AuditEntry.objects.filter(user_name="czytelnik").order_by("pk")
        assert [entry.action for entry in entries] == [Action.SIGN_IN, Action.SIGN_OUT]

    def test_a_wrong_password(self) -> None:
        Client().post("/login/", {"login": "czytelnik", "password": "inne"})
        entry = only(Action.SIGN_IN_FAILED)
        assert (entry.user_name, entry.outcome) == ("czytelnik", "wrong_password")

    def test_what_is_typed_in_place_of_a_name_is_not_kept(self) -> None:
        Client().post("/login/", {"login": "tajne-haslo", "password": "czytelnik"})
        entry = only(Action.SIGN_IN_FAILED)
        assert (entry.user_name, entry.outcome) == ("", "unknown_name")
        assert "tajne" not in json.dumps(list(AuditEntry.objects.values()), default=str)


class TestDocuments:
    def test_what_is_uploaded_and_deleted(self, library: Library) -> None:
        client, prefix = bearer(User.objects.get(username="superuser"), "documents:write", "documents:read")
        file = SimpleUploadedFile("nowy.txt", io.BytesIO(b"Nowy dokument.").read())
        made = client.post("/api/documents", {"file": file, "collection": "public"}).json()
        number = made["document"]["id"]
        client.delete(f"/api/documents/{number}")
        entries = AuditEntry.objects.filter(documents=[number]).order_by("pk")
        assert [(entry.action, entry.key) for entry in entries] == [(Action.CREATE, prefix), (Action.DELETE, prefix)]


class TestAddresses:
    @pytest.mark.parametrize(
        ("address", "kept", "expected"),
        [
            ("192.0.2.77", "shortened", "192.0.2.0"),
            ("192.0.2.77", "full", "192.0.2.77"),
            ("192.0.2.77", "none", ""),
            ("2001:db8:1:2:3::4", "shortened", "2001:db8:1::"),
            ("no address", "full", ""),
        ],
    )
    def test_they_are_kept_as_set(self, address: str, kept: str, expected: str) -> None:
        assert kept_address(address, kept) == expected

    def test_behind_no_proxy_nobody_invents_one(self, library: Library) -> None:
        library.client("member").get("/api/search", {"query": "urlop"}, headers={"X-Forwarded-For": "203.0.113.9"})
        assert only(Action.SEARCH).address == "127.0.0.0"
