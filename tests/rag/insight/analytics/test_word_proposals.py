"""Words that readers use and documents do not: when they are proposed, to whom they show, and what becomes of them."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from ingestion.errors import IngestionError
from ingestion.models import Collection, Document, SynonymGroup
from knowledgetree.events.models import Occurrence
from rag.insight.analytics.word_proposals import called, lacking_words, propose_words, shown_proposals
from rag.models import Exchange, Feedback, WordProposal
from rag.services.gaps import change_gap, open_gap
from rag.services.word_proposals import InvalidProposal, accept_proposal, reject_proposal
from tests.conftest import AddDocument
from tests.rag.insight.analytics.exchanges import asked

pytestmark = pytest.mark.django_db

QUESTIONS = ("Ile mam laby na pogrzeb?", "Komu należy się laba?")


@pytest.fixture
def leave(public: Collection, index: AddDocument) -> Document:
    text = "# Urlop okolicznościowy\n\nNa pogrzeb pracownik ma dwa dni. Komu należy się urlop, ten go dostaje.\n"
    return index(public, text, name="u.md", title="Urlop okolicznościowy i inne zwolnienia")


def in_vain(*texts: str, collections: tuple[Collection, ...] = ()) -> list[Exchange]:
    return [asked(text, at=timezone.now(), outcome="not_found", collections=collections) for text in texts]


def answered_by(document: Document, exchanges: list[Exchange]) -> None:
    gap = open_gap(exchanges=[exchange.pk for exchange in exchanges])
    change_gap(gap=gap, change={"status": "answered", "answered_by": document})


@pytest.fixture
def proposal(leave: Document) -> WordProposal:
    answered_by(leave, in_vain(*QUESTIONS))
    propose_words()
    return WordProposal.objects.get()


def test_a_word_of_two_questions_that_one_document_answers_is_proposed(proposal: WordProposal, superuser: User) -> None:
    assert str(proposal) == "laba → urlop okolicznościowy"
    shown = shown_proposals(superuser)[0]
    assert (shown.times, set(shown.examples)) == (2, set(QUESTIONS))
    assert propose_words() == 1
    assert WordProposal.objects.count() == 1
    assert Occurrence.objects.get(event="proposals.waiting").numbers == [proposal.pk]


def test_one_question_alone_proposes_nothing(leave: Document) -> None:
    answered_by(leave, in_vain(QUESTIONS[0]))
    assert propose_words() == 0


def test_a_gap_that_nobody_answered_by_a_document_proposes_nothing(leave: Document) -> None:
    gap = open_gap(exchanges=[exchange.pk for exchange in in_vain(*QUESTIONS)])
    change_gap(gap=gap, change={"status": "answered"})
    assert propose_words() == 0


def test_a_helpful_answer_points_to_what_it_cites(leave: Document, employee: User) -> None:
    for text in QUESTIONS:
        given = asked(text, at=timezone.now(), cites=(leave,))
        Feedback.objects.create(exchange=given, user=employee, verdict="good")
    assert propose_words() == 1
    Feedback.objects.update(verdict="bad")
    assert propose_words() == 0
    assert not WordProposal.objects.exists()


def test_only_words_that_no_document_of_the_collection_has_are_lacking(leave: Document) -> None:
    found = lacking_words("Czy labę i pogrzeb ma Kowalski pod numerem 512345678 w dzień pogrzbeu?", leave.collection)
    assert "laba" in found
    assert found.isdisjoint({"pogrzeb", "kowalski", "512345678", "i", "w"})


@pytest.mark.parametrize(
    ("title", "offered"),
    [
        ("Urlop okolicznościowy i inne zwolnienia", "urlop okolicznościowy"),
        ("Regulamin pracy zdalnej – załącznik", "regulamin pracy zdalnej"),
        ("RODO: naruszenia", "RODO"),
        ("Zarządzenie 14 z 2024", ""),
        ("", ""),
    ],
)
def test_what_a_document_calls_it_is_the_beginning_of_its_title(title: str, offered: str) -> None:
    assert called(title) == offered


def test_a_proposal_shows_to_those_alone_who_read_document_and_questions(
    restricted: Collection, index: AddDocument, employee: User, member: User
) -> None:
    secret = index(restricted, "# Nagrody\n\nNagrody zarządu wypłaca się w maju.\n", title="Nagrody zarządu")
    answered_by(secret, in_vain("Kiedy są trzynastki?", "Ile wynosi trzynastka?", collections=(restricted,)))
    assert propose_words() >= 1
    assert shown_proposals(employee) == []
    assert {shown.proposal.offered for shown in shown_proposals(member)} == {"nagrody zarządu"}


def test_questions_that_an_editor_may_not_read_are_not_counted(
    proposal: WordProposal, employee: User, restricted: Collection
) -> None:
    proposal.exchanges.first().collections.add(restricted)  # type: ignore[union-attr]
    assert [(shown.times, len(shown.examples)) for shown in shown_proposals(employee)] == [(1, 1)]


def test_an_accepted_word_is_searched_with_its_synonyms(proposal: WordProposal, superuser: User) -> None:
    group = accept_proposal(proposal=proposal, word="laba", offered=" urlop  okolicznościowy, zwolnienie", by=superuser)
    group.refresh_from_db()
    assert (group.enabled, group.direction, group.source) == (True, "one_way", SynonymGroup.Source.SYNONYM)
    assert group.collection == proposal.document.collection
    assert [synonym.text for synonym in group.synonyms.all()] == ["laba", "urlop okolicznościowy", "zwolnienie"]
    assert "laba" not in lacking_words(QUESTIONS[1], proposal.document.collection)
    assert propose_words() == 0
    assert WordProposal.objects.get().status == "accepted"


def test_a_rejected_word_is_not_proposed_again(proposal: WordProposal, superuser: User) -> None:
    reject_proposal(proposal=proposal, by=superuser)
    answered_by(proposal.document, in_vain("Kiedy jest laba?"))
    assert propose_words() == 0
    assert shown_proposals(superuser) == []
    assert not SynonymGroup.objects.exists()
    with pytest.raises(InvalidProposal):
        accept_proposal(proposal=proposal, word="laba", offered="urlop", by=superuser)


@pytest.mark.parametrize(("word", "offered"), [("", "urlop"), ("laba", " , "), ("laba", "laba")])
def test_half_a_pair_is_not_accepted(proposal: WordProposal, superuser: User, word: str, offered: str) -> None:
    with pytest.raises(InvalidProposal):
        accept_proposal(proposal=proposal, word=word, offered=offered, by=superuser)
    assert WordProposal.objects.get().status == "new"


def test_what_cannot_be_searched_for_leaves_nothing_behind(proposal: WordProposal, superuser: User) -> None:
    with pytest.raises(IngestionError):
        accept_proposal(proposal=proposal, word="laba", offered="nie do", by=superuser)
    assert not SynonymGroup.objects.exists()


def test_an_open_proposal_goes_with_its_questions(proposal: WordProposal) -> None:
    Exchange.objects.all().delete()
    assert propose_words() == 0
    assert not WordProposal.objects.exists()
