"""Documents are compared with each other: what contradicts is found once, and cleared once."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from ingestion.models import Collection, Document
from ingestion.selectors import operator
from knowledgetree.webhooks.keeping import create_webhook
from knowledgetree.webhooks.models import WebhookDelivery
from rag.answering.verification.cleared import digest_of, without_cleared
from rag.insight.conflicts.board import cleared_groups, number_cleared, number_open, open_groups, with_statements
from rag.insight.conflicts.chore import find_conflicts
from rag.insight.conflicts.comparing import compare_documents
from rag.models import ComparedStatement, Conflict
from rag.services.conflicts import AlreadyDecided, InvalidDecision, decide_conflicts, take_back_decisions
from rag.types import Contradiction, Statement
from tests.conftest import AddDocument

RULES = "Reklamację rozpatrujemy w ciągu 14 dni od jej otrzymania. Reklamacje przyjmuje kancelaria."
GUIDE = "Reklamację rozpatrujemy w ciągu 30 dni od jej otrzymania."
OTHER = "Skargę na urzędnika rozpatruje burmistrz w ciągu 30 dni."


@pytest.fixture
def rules(public: Collection, index: AddDocument) -> Document:
    return index(public, RULES, name="regulamin.txt", title="Regulamin reklamacji")


@pytest.fixture
def guide(public: Collection, rules: Document, index: AddDocument) -> Document:
    return index(public, GUIDE, name="poradnik.txt", title="Poradnik klienta 2026")


def the_open() -> list[Conflict]:
    return [one for group in open_groups(operator()) for one in group.conflicts]


def decide(by: User, decision: str = "apart") -> None:
    decide_conflicts(conflicts=the_open(), decision=decision, by=by)


def test_two_documents_that_differ_are_found_with_both_sentences_the_newer_first(guide: Document) -> None:
    compared = compare_documents()
    assert (compared.documents, compared.found, compared.left) == (2, 1, 0)
    (group,) = with_statements(open_groups(operator()), operator())
    assert group.first.kind == "number"
    assert [(one.title, one.value) for one in group.statements] == [
        ("Poradnik klienta 2026", "w ciągu 30 dni"),
        ("Regulamin reklamacji", "w ciągu 14 dni"),
    ]
    assert group.statements[1].after == "Reklamacje przyjmuje kancelaria."
    assert f"/{group.statements[0].document}" in group.statements[0].url


def test_what_did_not_change_is_not_read_again(guide: Document, public: Collection, index: AddDocument) -> None:
    compare_documents()
    assert compare_documents().documents == 0
    index(public, OTHER, name="skargi.txt", title="Skargi")
    again = compare_documents()
    assert (again.documents, again.found) == (1, 0)
    assert len(the_open()) == 1


def test_what_an_editor_cleared_stays_so_when_the_document_is_read_again(
    guide: Document, public: Collection, index: AddDocument, superuser: User
) -> None:
    compare_documents()
    decide(superuser)
    index(public, f"Nowy wstęp do poradnika. {GUIDE}", name="poradnik.txt", title="Poradnik klienta 2026")
    compare_documents()
    assert the_open() == []
    assert Conflict.objects.get().decision == "apart"


def test_it_comes_back_where_a_side_is_worded_anew(
    guide: Document, public: Collection, index: AddDocument, superuser: User
) -> None:
    compare_documents()
    decide(superuser)
    index(public, GUIDE.replace("30", "21"), name="poradnik.txt", title="Poradnik klienta 2026")
    assert compare_documents().found == 1
    (group,) = with_statements(open_groups(operator()), operator())
    assert group.statements[0].value == "w ciągu 21 dni"
    assert cleared_groups(operator()) == []


def test_what_was_mended_is_gone(guide: Document, public: Collection, index: AddDocument) -> None:
    compare_documents()
    index(public, GUIDE.replace("30", "14"), name="poradnik.txt", title="Poradnik klienta 2026")
    compare_documents()
    assert not Conflict.objects.exists()
    assert ComparedStatement.objects.filter(document=guide).count() == 1


def test_what_is_out_of_force_contradicts_nothing(guide: Document) -> None:
    compare_documents()
    Document.objects.filter(pk=guide.pk).update(valid_to=timezone.localdate() - timedelta(days=1))
    assert open_groups(operator()) == []


def test_three_documents_on_one_thing_are_one_group_and_the_right_one_makes_the_others_wrong(
    guide: Document, public: Collection, index: AddDocument, superuser: User
) -> None:
    index(public, GUIDE.replace("30", "21"), name="ulotka.txt", title="Ulotka o reklamacjach")
    compare_documents()
    (group,) = with_statements(open_groups(operator()), operator())
    assert len(group.conflicts) == 3
    right = next(one for one in group.statements if one.document == guide.pk)
    assert decide_conflicts(conflicts=group.conflicts, right=right.number, by=superuser) == 3
    (cleared,) = cleared_groups(operator())
    assert cleared.right == {right.number}
    assert Conflict.objects.filter(decision="neither").count() == 1
    take_back_decisions(conflicts=cleared.conflicts)
    assert len(the_open()) == 3


def test_groups_are_counted_as_they_are_shown_without_loading_one(
    guide: Document, public: Collection, index: AddDocument, superuser: User, django_assert_num_queries: Any
) -> None:
    for number in (21, 45, 60):
        index(public, GUIDE.replace("30", str(number)), name=f"{number}.txt", title=f"Ulotka {number}")
    for number in (3, 5):
        index(public, OTHER.replace("30", str(number)), name=f"skarga{number}.txt", title="Skargi")
    compare_documents()
    pairs = the_open()
    Conflict.objects.filter(pk__in=[one.pk for one in pairs[1::2]]).delete()  # chains too, not only all with all
    with django_assert_num_queries(1):
        waiting = number_open(operator())
    assert waiting == len(open_groups(operator())) > 1
    decide_conflicts(conflicts=open_groups(operator())[0].conflicts, decision="apart", by=superuser)
    assert (number_open(operator()), number_cleared(operator())) == (waiting - 1, 1)


def test_of_a_group_with_a_closed_statement_the_others_are_shown_and_decided(
    guide: Document, restricted: Collection, index: AddDocument, employee: User, superuser: User
) -> None:
    secret = index(restricted, GUIDE.replace("30", "21"), name="tajne.txt", title="Tajna ulotka")
    compare_documents()
    (group,) = with_statements(open_groups(employee), employee)
    assert (len(group.conflicts), number_open(employee)) == (1, 1)
    assert secret.pk not in {one.document for one in group.statements}
    decide_conflicts(conflicts=group.conflicts, decision="apart", by=employee)
    assert number_open(employee) == 0
    (rest,) = with_statements(open_groups(superuser), superuser)
    assert (len(rest.conflicts), len(rest.statements)) == (2, 3)


def test_who_comes_second_is_told_who_decided_and_changes_nothing(
    guide: Document, superuser: User, employee: User
) -> None:
    compare_documents()
    seen = the_open()
    decide(superuser)
    with pytest.raises(AlreadyDecided) as refused:
        decide_conflicts(conflicts=seen, decision="neither", by=employee)
    assert superuser.username in str(refused.value)
    assert refused.value.remedy
    assert Conflict.objects.get().decided_by == superuser


def test_a_decision_that_says_nothing_is_refused(guide: Document, superuser: User) -> None:
    compare_documents()
    for wrong in ({"decision": "first"}, {"decision": "x"}, {"right": 0}):
        with pytest.raises(InvalidDecision) as refused:
            decide_conflicts(conflicts=the_open(), by=superuser, **wrong)  # type: ignore[arg-type]
        assert refused.value.remedy
    assert len(the_open()) == 1


def test_an_answer_does_not_point_out_what_was_cleared(guide: Document, rules: Document, superuser: User) -> None:
    texts = {rules.pk: RULES.split(". ")[0] + ".", guide.pk: GUIDE}
    first, second = (
        Statement(chunk_id=0, document_id=pk, title="", quote=text, value="") for pk, text in texts.items()
    )
    pointed_out = Contradiction(kind="number", subject="", first=second, second=first)
    compare_documents()
    assert ComparedStatement.objects.filter(digest=digest_of(texts[rules.pk])).exists()
    assert without_cleared([pointed_out]) == (pointed_out,)
    decide(superuser, "by_date")
    assert without_cleared([pointed_out]) == ()


def test_whoever_listens_is_told_how_many_and_of_which_collections(guide: Document) -> None:
    create_webhook(name="czat", url="https://czat.example.pl", events=["conflicts.found"])
    assert find_conflicts() == 1
    told = json.loads(WebhookDelivery.objects.get().body)
    assert told["data"] == {"collections": ["publiczna"], "found": 1}
    assert "dni" not in json.dumps(told["data"])
    assert find_conflicts() == 0
    assert WebhookDelivery.objects.count() == 1


def test_the_command_lists_both_sides(guide: Document, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("find_contradictions")
    text = capsys.readouterr().out
    assert "w ciągu 14 dni" in text
    assert "Poradnik klienta 2026" in text
    call_command("find_contradictions", "--json", "--again")
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert [one["value"] for one in row["statements"]] == ["w ciągu 30 dni", "w ciągu 14 dni"]


def test_an_erased_document_leaves_nothing(guide: Document) -> None:
    compare_documents()
    guide.delete()
    assert not Conflict.objects.exists()
    assert not ComparedStatement.objects.filter(document=guide.pk).exists()
