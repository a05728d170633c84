"""A shared conversation: each reader sees what they may read, and no more."""

from copy import copy

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from ingestion.models import Collection, Document
from ingestion.services.erasure import erase_document
from rag.models import Conversation
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db
PHONE = "601 234 567"


@pytest.fixture(scope="module")
def kept_leave(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        return index_text(make_public(), "Urlop trwa 26 dni.", name="urlopy.txt", title="Urlopy")


@pytest.fixture
def leave(kept_leave: Document, db: None) -> Document:
    return copy(kept_leave)


@pytest.fixture
def pay(restricted: Collection, index: AddDocument) -> Document:
    return index(restricted, "Dyrektor zarabia 31337 zł.", name="place.txt", title="Widełki płac")


@pytest.fixture
def shared(member: User) -> Conversation:
    return talk(member, "Ile zarabia dyrektor?", shared=timezone.now())


def page(conversation: Conversation, user: User) -> str:
    client = Client()
    client.force_login(user)
    response = client.get(f"/s/{conversation.pk}/")
    assert response.status_code == 200
    assert "noindex" in response["X-Robots-Tag"]
    assert "no-store" in response["Cache-Control"]
    return response.content.decode()


def test_who_is_not_signed_in_is_sent_to_sign_in(client: Client, shared: Conversation) -> None:
    response = client.get(f"/s/{shared.pk}/")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login/?next=/s/")


def test_a_colleague_reads_question_answer_and_sources(shared: Conversation, leave: Document, employee: User) -> None:
    exchange = said(shared, "Ile trwa urlop?", "Urlop trwa 26 dni. [1]", cites=(leave,))
    shown = page(shared, employee)
    assert "26 dni" in shown
    assert f'href="/documents/{leave.pk}/' in shown
    assert f'id="{exchange.pk}"' in shown
    assert 'name="question"' not in shown  # nobody asks on in it


def test_what_a_reader_may_not_read_is_hidden_with_its_question_and_the_title(
    shared: Conversation, leave: Document, pay: Document, employee: User, member: User
) -> None:
    said(shared, "Ile zarabia dyrektor?", "Zarabia 31337 zł. [1]", cites=(pay,))
    said(shared, "Ile trwa urlop?", "Urlop trwa 26 dni. [1]", cites=(leave,))
    shown = page(shared, employee)
    for secret in ("dyrektor", "31337", "Widełki"):
        assert secret not in shown
    assert "26 dni" in shown
    for known in ("Ile zarabia dyrektor?", "31337", "Widełki płac", "26 dni"):
        assert known in page(shared, member)


@pytest.mark.parametrize(
    "fields",
    [{"outcome": "direct"}, {"searched": "Ile premii dostaje dyrektor?"}, {"model": "claude"}],
    ids=["direct", "reworded", "written by a model"],
)
def test_what_may_repeat_a_hidden_answer_is_hidden_too(
    shared: Conversation, leave: Document, pay: Document, employee: User, fields: dict[str, str]
) -> None:
    said(shared, "Ile zarabia dyrektor?", "Zarabia 31337 zł. [1]", cites=(pay,))
    said(shared, "A dlaczego aż tyle?", "Bo 31337 zł. [1]", cites=(leave,), **fields)
    shown = page(shared, employee)
    assert "31337" not in shown
    assert "dlaczego" not in shown


def test_what_may_repeat_a_hidden_answer_stays_hidden_after_an_open_one(
    shared: Conversation, leave: Document, pay: Document, employee: User
) -> None:
    said(shared, "Ile zarabia dyrektor?", "Zarabia 31337 zł. [1]", cites=(pay,))
    said(shared, "Ile trwa urlop?", "Urlop trwa 26 dni. [1]", cites=(leave,))
    said(shared, "A dlaczego aż tyle?", "Bo 31337 zł. [1]", cites=(leave,), searched="Dlaczego dyrektor zarabia tyle?")
    shown = page(shared, employee)
    assert "26 dni" in shown
    assert "31337" not in shown
    assert "dlaczego" not in shown


def test_what_was_thought_with_the_owners_rights_is_not_told(
    shared: Conversation, leave: Document, employee: User
) -> None:
    steps = [
        {"number": n, "kind": "rag_search", "status": "done", "reasoning": "", "queries": [], "duration": 1.0,
         "sources": ["Widełki płac"], "confidence": None} for n in (1, 2)
    ]  # fmt: skip
    said(shared, "Ile trwa urlop?", "26 dni. [1]", cites=(leave,), steps=steps, searched="Urlop dyrektora",
         corrections=[{"typed": "urlp", "searched": "dyrektor"}])  # fmt: skip
    shown = page(shared, employee)
    assert "Widełki" not in shown
    assert "dyrektor" not in shown.replace(shared.title, "")


def test_an_answer_is_hidden_once_its_document_moved_or_is_gone(
    shared: Conversation, leave: Document, restricted: Collection, employee: User, member: User
) -> None:
    said(shared, "Ile trwa urlop?", "Urlop trwa 26 dni. [1]", cites=(leave,))
    Document.objects.filter(pk=leave.pk).update(collection=restricted)
    assert "26 dni" not in page(shared, employee)
    assert "26 dni" in page(shared, member)
    leave.collection.delete()
    Document.objects.filter(pk=leave.pk).delete()
    assert "26 dni" not in page(shared, member)


def test_personal_data_are_covered_in_questions_answers_and_the_title(
    shared: Conversation, leave: Document, employee: User
) -> None:
    leave.collection.mask_personal_data = True
    leave.collection.save()
    Conversation.objects.filter(pk=shared.pk).update(title=f"Czyj jest numer {PHONE}?")
    said(shared, f"Czyj jest numer {PHONE}?", f"Numer {PHONE} jest kadr. [1]", cites=(leave,))
    assert PHONE not in page(shared, employee)


def test_an_erased_document_leaves_nothing(shared: Conversation, leave: Document, employee: User) -> None:
    said(shared, "Ile trwa urlop?", "Urlop trwa 26 dni. [1]", cites=(leave,))
    erase_document(document=leave)
    assert "26 dni" not in page(shared, employee)


def test_no_other_conversation_of_the_owner_opens(shared: Conversation, member: User, employee: User) -> None:
    private = talk(member, "Prywatna")
    client = Client()
    client.force_login(employee)
    assert client.get(f"/s/{private.pk}/").status_code == 404
    assert client.get(f"/c/{shared.pk}/").status_code == 404


def test_only_superusers_look_at_what_others_asked(
    shared: Conversation, leave: Document, employee: User, superuser: User, client: Client
) -> None:
    said(shared, "Ile trwa urlop?", "Urlop trwa 26 dni. [1]", cites=(leave,))
    client.force_login(employee)
    assert client.get(f"/r/{shared.pk}/").status_code == 404
    client.force_login(superuser)
    page = client.get(f"/r/{shared.pk}/").content.decode()
    assert "Urlop trwa 26 dni" in page
    assert "Zadane przez" in page
    assert 'class="feedback"' not in page  # it is judged by who asked
