"""A restricted collection's text reaches no outsider: not by search, answer, count, correction, link or history."""

from copy import copy

import pytest
from django.contrib.auth.models import AnonymousUser, User

from ingestion.models import Collection, Document
from ingestion.selectors import readable_document, readable_documents, visible_collections
from rag.errors import InvalidFilter
from rag.models import Conversation
from rag.selectors import shown_exchanges
from rag.services.ask import answer_question, ask, keep
from rag.services.ask_request import AskRequest
from rag.services.search import search_passages
from rag.types import Filters
from tests.conftest import AddDocument, index_text, make_public, make_restricted
from tests.kept import Kept
from tests.telling import tells

SECRET = "Widełki płac: dyrektor zarabia 31337 złotych według tajnego cennika."


@pytest.fixture(scope="module")
def kept_secret(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        restricted = make_restricted()
        public = make_public()
        index_text(public, "Urząd jest czynny od poniedziałku do piątku.", name="godziny.txt")
        return index_text(restricted, SECRET, name="place.txt", title="Widełki płac")


@pytest.fixture
def secret(kept_secret: Document, db: None) -> Document:
    return copy(kept_secret)


OUTSIDERS = ["anonymous", "employee"]
INSIDERS = ["member", "superuser"]


def viewer(name: str, request: pytest.FixtureRequest) -> User | AnonymousUser:
    user: User | AnonymousUser = request.getfixturevalue(name)
    return user


@pytest.mark.parametrize("name", OUTSIDERS)
class TestOutsiders:
    def test_search_finds_nothing_and_counts_nothing(
        self, name: str, secret: Document, request: pytest.FixtureRequest
    ) -> None:
        result = search_passages(query="widełki płac dyrektora", viewer=viewer(name, request))
        assert all(passage.document_id != secret.pk for passage in result.passages)
        assert result.chunks_total == 1

    def test_no_correction_betrays_a_hidden_word(
        self, name: str, secret: Document, request: pytest.FixtureRequest
    ) -> None:
        assert search_passages(query="cennka", viewer=viewer(name, request)).corrections == ()

    def test_the_answer_does_not_know_it(self, name: str, secret: Document, request: pytest.FixtureRequest) -> None:
        answer = answer_question("Ile zarabia dyrektor?", viewer=viewer(name, request), save=False)
        assert answer.outcome == "not_found"
        assert not tells(answer, 31337)

    def test_the_collection_is_as_if_it_were_not_there(
        self, name: str, secret: Document, request: pytest.FixtureRequest
    ) -> None:
        outsider = viewer(name, request)
        with pytest.raises(InvalidFilter):
            search_passages(query="płace", viewer=outsider, filters=Filters(collections=("poufna",)))
        with pytest.raises(Document.DoesNotExist):
            readable_document(outsider, secret.pk)
        assert secret not in readable_documents(outsider)
        assert "poufna" not in visible_collections(outsider).values_list("slug", flat=True)


@pytest.mark.parametrize("name", INSIDERS)
def test_those_who_may_read_it_find_it(name: str, secret: Document, request: pytest.FixtureRequest) -> None:
    insider = viewer(name, request)
    assert search_passages(query="widełki płac", viewer=insider).passages[0].document_id == secret.pk
    assert "31337" in answer_question("Ile zarabia dyrektor?", viewer=insider, save=False).text


def test_internal_documents_need_only_an_account(
    internal: Collection, employee: User, anonymous: AnonymousUser, index: AddDocument
) -> None:
    index(internal, "Instrukcja obsługi ekspresu do kawy.")
    assert search_passages(query="ekspres", viewer=employee).passages
    assert not search_passages(query="ekspres", viewer=anonymous).passages


def test_a_disabled_account_sees_what_a_stranger_sees(secret: Document, member: User) -> None:
    member.is_active = False
    assert not search_passages(query="widełki", viewer=member).passages


def test_leaving_the_group_hides_the_stored_answer_too(secret: Document, member: User) -> None:
    answer = answer_question("Ile zarabia dyrektor?", viewer=member, save=False)
    exchange = keep(answer, viewer=member, conversation=None, session_key="")
    shown = shown_exchanges(exchange.conversation, member)
    assert not shown[0].hidden
    assert shown[0].citations

    member.groups.clear()
    shown = shown_exchanges(exchange.conversation, User.objects.get(pk=member.pk))
    assert shown[0].hidden
    assert shown[0].citations == ()


def test_an_anonymous_conversation_belongs_to_its_browser(secret: Document, anonymous: AnonymousUser) -> None:
    list(ask(AskRequest(question="Kiedy czynny jest urząd?", viewer=anonymous, session_key="abc")))
    assert Conversation.objects.get().session_key == "abc"
