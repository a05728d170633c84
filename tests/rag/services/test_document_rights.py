"""A document with readers of its own reaches nobody else of those who may read its collection, on any way there is."""

from copy import copy

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.index.packing import pack_collection
from ingestion.library.documents import Narrowing, choices_of, collection_cards, documents_of, titled
from ingestion.models import Collection, Document
from ingestion.selectors import readable_document, readable_documents, visible_documents, visible_jobs
from ingestion.services.documents import archive_document
from ingestion.services.rights import set_document_rights
from ingestion.types import Readers
from knowledgetree.conf import LexicalSettings
from rag.presets import preset
from rag.search.retriever import HybridRetriever
from rag.selectors import readable_exchanges, shared_exchanges, shown_exchanges
from rag.selectors.filter_values import filter_values
from rag.selectors.scope import clearance_in
from rag.services.ask import answer_question, keep
from rag.services.search import search_passages, words_searched
from rag.types import Filters
from tests.conftest import AddDocument, index_text, make_internal, make_restricted
from tests.kept import Kept
from tests.telling import tells

SECRET = "Widełki płac: dyrektor Zbigniew Ćwierciakiewicz zarabia 31337 złotych według tajnego cennika."
OPEN = "Urząd jest czynny od poniedziałku do piątku. O płacach dyrektor nie mówi nikomu."


@pytest.fixture(scope="module")
def kept_secret(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        internal = make_internal()
        board = make_restricted().groups.get()
        index_text(internal, OPEN, name="godziny.txt", title="Godziny urzędu", category="dla wszystkich")
        secret = index_text(
            internal, SECRET, name="place.txt", title="Widełki płac", category="poufne", tags=["pensje"]
        )
        set_document_rights(document=secret, readers=Readers(groups=frozenset({board.pk})), origin="source")
        return secret


@pytest.fixture
def secret(kept_secret: Document, db: None) -> Document:
    return copy(kept_secret)


@pytest.fixture
def six(public: Collection, index: AddDocument) -> list[Document]:
    return [index(public, f"Sprawozdanie z badania numer {number}.", name=f"{number}.txt") for number in range(6)]


@pytest.fixture
def groups(db: None) -> list[Group]:
    return [Group.objects.create(name=f"grupa {number}") for number in range(4)]


def viewer(name: str, request: pytest.FixtureRequest) -> User:
    user: User = request.getfixturevalue(name)
    return user


class TestOutsiders:
    def test_search_finds_nothing_and_counts_nothing(self, secret: Document, employee: User) -> None:
        result = search_passages(query="widełki płac dyrektora cennik", viewer=employee, top_k=50)
        assert [passage.document_id == secret.pk for passage in result.passages] == [False]
        assert result.chunks_total == 1

    @pytest.mark.parametrize("preset", ["fast", "balanced", "accurate", "legal"])
    def test_no_preset_finds_it(self, preset: str, secret: Document, employee: User) -> None:
        result = search_passages(query="Ile zarabia Zbigniew Ćwierciakiewicz?", viewer=employee, preset=preset)
        assert not tells(result, 31337)

    @pytest.mark.parametrize("query", ["cennka", "cwierciakiewicz", "Widelki", "tajnegoo"])
    def test_no_correction_betrays_a_hidden_word(self, query: str, secret: Document, employee: User) -> None:
        assert not any(word.in_documents for word in words_searched(query=query, viewer=employee))
        corrections = search_passages(query=query, viewer=employee).corrections
        archive_document(document=secret)
        assert search_passages(query=query, viewer=employee).corrections == corrections, "they come from the dictionary"

    def test_the_answer_does_not_know_it(self, secret: Document, employee: User) -> None:
        answer = answer_question("Ile zarabia dyrektor Ćwierciakiewicz?", viewer=employee, save=False)
        assert not tells(answer, 31337)
        assert "Widełki" not in repr(answer)

    def test_an_answer_kept_for_an_insider_is_not_theirs(self, secret: Document, employee: User, member: User) -> None:
        question = "Ile zarabia dyrektor Ćwierciakiewicz?"
        assert tells(answer_question(question, viewer=member, save=False).text, 31337)
        assert answer_question(question, viewer=member, save=False).metrics.cache == "answers"
        assert not tells(answer_question(question, viewer=employee, save=False), 31337)

    def test_pages_do_not_know_it(self, secret: Document, employee: User, client: Client) -> None:
        client.force_login(employee)
        for address in ("", "original/", "pages/1.webp"):
            assert client.get(f"/documents/{secret.pk}/{address}").status_code == 404
        assert client.get(f"/api/documents/{secret.pk}").status_code == 404
        assert client.get(f"/api/documents/{secret.pk}/chunks").status_code == 404
        for address in ("/library/", "/library/wewnetrzna/", "/library/?q=wide%C5%82ki", "/api/documents", "/"):
            page = client.get(address).content.decode()
            assert "Widełki" not in page
            assert "poufne" not in page

    def test_the_library_neither_lists_nor_counts_it(self, secret: Document, employee: User) -> None:
        collection, narrowing = secret.collection, Narrowing(today=secret.created.date())
        assert [card.documents for card in collection_cards(employee) if card.collection == collection] == [1]
        assert secret not in documents_of(employee, collection, narrowing, "title")
        assert [one.value for one in choices_of(employee, collection).categories] == ["dla wszystkich"]
        assert titled(employee, readable_documents(employee), "widełki") == []
        assert "pensje" not in {one.value for one in filter_values(employee)}
        with pytest.raises(Document.DoesNotExist):
            readable_document(employee, secret.pk)

    def test_editors_who_may_not_read_it_do_not_see_it(self, secret: Document, employee: User) -> None:
        employee.is_staff = True
        assert secret not in visible_documents(employee)
        assert not visible_jobs(employee).filter(document=secret).exists()

    def test_a_stored_answer_closes_with_its_document(self, secret: Document, member: User, employee: User) -> None:
        answer = answer_question("Ile zarabia dyrektor Ćwierciakiewicz?", viewer=member, save=False)
        exchange = keep(answer, viewer=member, conversation=None, session_key="")
        assert not shown_exchanges(exchange.conversation, member)[0].hidden
        assert shared_exchanges(exchange.conversation, employee)[0].hidden
        assert not readable_exchanges(employee).filter(pk=exchange.pk).exists()
        member.groups.clear()
        shown = shown_exchanges(exchange.conversation, User.objects.get(pk=member.pk))[0]
        assert shown.hidden
        assert shown.citations == ()


@pytest.mark.parametrize("name", ["member", "superuser"])
class TestInsiders:
    def test_it_is_found_and_read(self, name: str, secret: Document, request: pytest.FixtureRequest) -> None:
        insider = viewer(name, request)
        assert search_passages(query="widełki płac", viewer=insider).passages[0].document_id == secret.pk
        assert search_passages(query="widełki płac", viewer=insider).chunks_total == 2
        assert search_passages(query="cwierciakiewicz", viewer=insider).passages[0].document_id == secret.pk
        assert "31337" in answer_question("Ile zarabia dyrektor Ćwierciakiewicz?", viewer=insider, save=False).text
        answer = answer_question("Ile zarabia dyrektor Ćwierciakiewicz?", viewer=insider, save=False)
        exchange = keep(answer, viewer=insider, conversation=None, session_key="")
        assert not shown_exchanges(exchange.conversation, insider)[0].hidden
        assert readable_document(insider, secret.pk) == secret
        assert "pensje" in {one.value for one in filter_values(insider)}


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rights=st.lists(st.none() | st.sets(st.integers(0, 3), max_size=3), min_size=6, max_size=6),
    own=st.sets(st.integers(0, 3)),
    named=st.sets(st.integers(0, 5)),
    active=st.booleans(),
)
def test_everyone_reads_what_the_rights_say_and_nothing_else(
    six: list[Document],
    groups: list[Group],
    employee: User,
    rights: list[set[int] | None],
    own: set[int],
    named: set[int],
    active: bool,
) -> None:
    """`rights`: of each document the groups that may read it; `named`: documents that name the reader's account."""
    employee.groups.set([groups[number] for number in own])
    employee.is_active = active
    for number, (document, numbers) in enumerate(zip(six, rights, strict=True)):
        own_readers = None
        if numbers is not None:
            keys = frozenset(groups[one].pk for one in numbers)
            own_readers = Readers(groups=keys, users=frozenset({employee.pk} if number in named else ()))
        set_document_rights(document=document, readers=own_readers, origin="source")
    expected = {
        document.pk
        for number, (document, numbers) in enumerate(zip(six, rights, strict=True))
        if numbers is None or (active and (numbers & own or number in named))
    }
    found = search_passages(query="sprawozdanie z badania", viewer=employee, top_k=50)
    assert {passage.document_id for passage in found.passages} == expected
    assert found.chunks_total == len(expected)
    assert set(readable_documents(employee).values_list("pk", flat=True)) == expected
    clearance = clearance_in(list({document.collection for document in six}), employee)
    assert {document.pk for document in Document.objects.all() if clearance.opens(document)} == expected
    assert sum(card.documents for card in collection_cards(employee)) == len(expected)


def test_what_is_hidden_is_counted_anew_when_readers_change(secret: Document, employee: User) -> None:
    assert search_passages(query="widełki płac", viewer=employee).chunks_total == 1
    set_document_rights(document=secret, readers=Readers(users=frozenset([employee.pk])), origin="editor")
    assert search_passages(query="widełki płac", viewer=employee).chunks_total == 2


@pytest.mark.parametrize("few", [0, 8_000])
def test_lists_and_vectors_leave_out_what_is_closed_at_this_moment(
    few: int, six: list[Document], groups: list[Group], employee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether those that may be read are named one by one, as few are, or the others left out."""
    monkeypatch.setattr("ingestion.selectors.opening._FEW", few)
    pack_collection(six[0].collection_id, least=1)

    def found() -> set[int]:
        result = search_passages(query="sprawozdanie z badania", viewer=employee, top_k=50)
        assert result.chunks_total == len(result.passages)
        return {passage.document_id for passage in result.passages}

    keys = [document.pk for document in six]
    for document in six[:3]:
        set_document_rights(document=document, readers=Readers(groups=frozenset([groups[0].pk])), origin="source")
    assert found() == set(keys[3:])
    employee.groups.add(groups[0])
    assert found() == set(keys)
    set_document_rights(document=six[0], readers=Readers(groups=frozenset([groups[1].pk])), origin="source")
    assert found() == set(keys[1:])
    employee.groups.remove(groups[0])
    assert found() == set(keys[3:])


@pytest.mark.parametrize("few", [0, 8_000])
def test_what_is_closed_while_a_search_is_under_way_is_not_found(
    few: int, six: list[Document], groups: list[Group], employee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the process knows of chunks is older than what PostgreSQL says, which has the last word."""
    monkeypatch.setattr("ingestion.selectors.opening._FEW", few)
    pack_collection(six[0].collection_id, least=1)
    closed = Readers(groups=frozenset([groups[0].pk]))
    set_document_rights(document=six[0], readers=closed, origin="source")
    collections = [six[0].collection]
    clearance = clearance_in(collections, employee)
    assert clearance.opening
    assert clearance.opening.hidden == 1
    set_document_rights(document=six[1], readers=closed, origin="source")
    retriever = HybridRetriever(preset=preset("offline"), lexical=LexicalSettings())
    found = retriever.retrieve(
        "sprawozdanie z badania", collections=collections, filters=Filters(), top_k=50, clearance=clearance
    )
    assert {passage.document_id for passage in found.passages} == {document.pk for document in six[2:]}
