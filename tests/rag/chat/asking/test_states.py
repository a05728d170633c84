"""What the page says where there is nothing to read, where a word was corrected, where a conversation is gone."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Collection, Document
from rag.models import Conversation, Exchange
from rag.services.keeping import keep
from rag.types import Answer

pytestmark = pytest.mark.django_db


def test_without_readable_documents_the_page_says_what_to_do(
    client: Client, restricted: Collection, employee: User, member: User, superuser: User
) -> None:
    Document.objects.create(collection=restricted, title="Akta", uri="akta", status="ready")
    nothing = b'class="nothing-to-read"'
    assert nothing in client.get("/").content
    client.force_login(employee)
    assert nothing in client.get("/").content
    client.force_login(member)
    assert nothing not in client.get("/").content
    Document.objects.all().delete()
    client.force_login(superuser)
    assert b'class="primary" href="/admin/"' in client.get("/").content


def test_the_question_that_is_insisted_on_counts_whatever_stands_in_the_box(client: Client, public: Collection) -> None:
    client.post("/ask/", {"question": "co innego", "insist": 'Ile dni "urlpu"?'})
    assert Exchange.objects.get().question == 'Ile dni "urlpu"?'


def test_an_answer_for_a_conversation_that_was_deleted_meanwhile_begins_a_new_one(employee: User) -> None:
    gone = Conversation.objects.create(owner=employee, title="Dawna")
    Conversation.objects.all().delete()
    kept = keep(
        Answer(question="Co?", text="", outcome="not_found"), viewer=employee, conversation=gone, session_key=""
    )
    assert kept.conversation.pk != gone.pk
    assert kept.conversation.owner == employee
