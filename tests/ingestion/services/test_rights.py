"""A document's own readers: set by its source or an editor, whose word stays; for those readers, and nobody else."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group, User

from ingestion.models import Collection, Document, Readership
from ingestion.selectors.clearance import clearance_of, cleared
from ingestion.selectors.knowledge_version import knowledge_version
from ingestion.services.rights import given_readers, set_document_rights, take_back_rights
from ingestion.types import Readers
from knowledgetree.postgres.prepared_statements import fetch
from tests.conftest import AddDocument


@pytest.fixture
def document(public: Collection, index: AddDocument) -> Document:
    return index(public, "Protokół z narady zarządu.", name="protokol.txt")


@pytest.fixture
def board(db: None) -> Group:
    return Group.objects.create(name="Zarząd")


def readers(*groups: Group, users: tuple[User, ...] = ()) -> Readers:
    return Readers(groups=frozenset(group.pk for group in groups), users=frozenset(user.pk for user in users))


def reads(viewer: User | AnonymousUser, document: Document) -> bool:
    """By both forms of the rule, which must agree."""
    by_rows = Document.objects.filter(cleared(viewer), pk=document.pk).exists()
    sql, parameters = clearance_of(viewer, within=[document.collection_id]).sql()
    found = fetch(f"SELECT 1 FROM ingestion_document d WHERE d.id = %s AND {sql}", [document.pk, *parameters])
    assert bool(found) == by_rows
    return by_rows


def test_without_readers_of_its_own_the_collection_decides(document: Document, anonymous: AnonymousUser) -> None:
    assert reads(anonymous, document)


def test_it_is_for_members_of_its_groups_and_for_its_accounts(
    document: Document, board: Group, employee: User, member: User, superuser: User, anonymous: AnonymousUser
) -> None:
    set_document_rights(document=document, readers=readers(board, users=(member,)), origin="source")
    assert [reads(viewer, document) for viewer in (anonymous, employee, member, superuser)] == [
        False,
        False,
        True,
        True,
    ]
    employee.groups.add(board)
    assert reads(employee, document)
    employee.is_active = False
    assert not reads(employee, document)


def test_without_any_readers_it_is_for_administrators(document: Document, employee: User, superuser: User) -> None:
    set_document_rights(document=document, readers=Readers(groups=frozenset({999_999})), origin="source")
    assert [reads(employee, document), reads(superuser, document)] == [False, True]


def test_who_deletes_the_group_opens_the_document_to_nobody(document: Document, board: Group, employee: User) -> None:
    employee.groups.add(board)
    set_document_rights(document=document, readers=readers(board), origin="source")
    board.delete()
    assert not reads(employee, document)


def test_an_editors_word_stays_until_it_is_taken_back(document: Document, board: Group, employee: User) -> None:
    set_document_rights(document=document, readers=readers(users=(employee,)), origin="editor")
    assert not set_document_rights(document=document, readers=readers(board), origin="source")
    assert reads(employee, document)
    assert given_readers(document) == readers(board)
    assert take_back_rights(document=document)
    assert not reads(employee, document)
    assert not take_back_rights(document=document)


def test_the_source_opens_again_what_it_closed(document: Document, board: Group, employee: User) -> None:
    assert set_document_rights(document=document, readers=readers(board), origin="source")
    assert set_document_rights(document=document, readers=None, origin="source")
    assert reads(employee, document)


def test_equal_readers_are_one_row(document: Document, board: Group, public: Collection, index: AddDocument) -> None:
    other = index(public, "Inny protokół.", name="inny.txt")
    for one in (document, other):
        set_document_rights(document=one, readers=readers(board), origin="source")
    assert Readership.objects.count() == 1


def test_another_right_is_another_version_of_the_knowledge_base(document: Document, board: Group) -> None:
    before = knowledge_version([document.collection_id])
    Document.objects.filter(pk=document.pk).update(readership=Readership.objects.create(digest="x"))
    assert knowledge_version([document.collection_id]) != before


def test_within_collections_only_what_is_there_counts(
    document: Document, board: Group, internal: Collection, employee: User
) -> None:
    employee.groups.add(board)
    set_document_rights(document=document, readers=readers(board), origin="source")
    assert clearance_of(employee, within=[document.collection_id]).readerships == (document.readership_id,)
    elsewhere = clearance_of(employee, within=[internal.pk])
    assert (elsewhere.readerships, elsewhere.asks) == ((), False)
