"""The hit-testing page: two columns, marks, and who may see and do what."""

from copy import copy
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from rag.models import Assistant, EvaluationDataset, Judgement
from rag.services.judging import create_dataset, grades_of, mark, question_in
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

pytestmark = pytest.mark.django_db

QUESTION = "Ile kosztuje karta parkingowa?"
PAGE = "admin:rag_hit_testing_changelist"


@pytest.fixture(scope="module")
def kept_card(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        for number in range(3):
            index_text(
                public, f"Uchwała {number} w sprawie karty mieszkańca i parkingów.", name=f"uchwala-{number}.txt"
            )
        return index_text(
            public, "Karta parkingowa kosztuje 30 zł rocznie.", name="karta.txt", title="Karta parkingowa"
        )


@pytest.fixture
def card(kept_card: Document, db: None) -> Document:
    return copy(kept_card)


@pytest.fixture
def dataset(public: Collection) -> EvaluationDataset:
    return create_dataset(name="gmina", collection=public)


@pytest.fixture
def evaluator(db: None, client: Client) -> Client:
    return signed_in(client, "view_evaluationdataset", "change_evaluationdataset", "add_evaluationdataset")


def signed_in(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("oceniająca", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def asked(client: Client, **query: Any) -> Any:
    response = client.get(reverse(PAGE), {"question": QUESTION, **query})
    assert response.status_code == 200
    return response


def marked(client: Client, dataset: EvaluationDataset, document: Document, grade: int, **more: Any) -> Any:
    given = {"dataset": dataset.pk, "document": document.pk, "question": QUESTION, "grade": grade}
    return client.post(reverse("admin:rag_hit_testing_mark"), given, **more)


def titles(response: Any, side: int = 0) -> list[str]:
    column = response.context["columns"][side][1]
    return [row.placing.passage.title for row in column.rows]


def test_the_page_begins_with_an_empty_question_and_two_configurations(evaluator: Client) -> None:
    response = evaluator.get(reverse(PAGE))
    assert response.status_code == 200
    assert [side.prefix for side in response.context["sides"]] == ["a", "b"]
    assert "columns" not in response.context
    assert "null" not in str(response.context["sides"][0]["parts"])


def test_both_configurations_are_searched_and_compared(evaluator: Client, card: Document) -> None:
    response = asked(evaluator, **{"b-reranker": "none", "b-parts": '{"neighbours": 1}'})
    assert titles(response)[0] == titles(response, 1)[0] == "Karta parkingowa"
    assert {name for name, _, _ in response.context["parts"]} == {"reranker", "neighbours"}
    assert b'<mark class="hit">' in response.content


def test_a_passage_that_only_one_finds_says_so(evaluator: Client, card: Document) -> None:
    response = asked(evaluator, **{"b-categories": "nie ma takiej"})
    assert titles(response, 1) == []
    assert response.content.count(b"kt-moved-only") == len(titles(response))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("a-parts", "{neighbours"),
        ("a-parts", "[1]"),
        ("a-parts", '{"wymyslona": 1}'),
        ("a-parts", '{"neighbours": 99}'),
        ("a-parts", '{"model": "drogi"}'),
        ("a-valid_on", "jutro"),
        ("a-preset", "nie ma"),
    ],
)
def test_a_wrong_configuration_says_what_is_wrong_and_is_not_searched(
    evaluator: Client, card: Document, field: str, value: str
) -> None:
    response = asked(evaluator, **{field: value})
    side = response.context["sides"][0]
    assert side.errors
    columns = response.context.get("columns")
    assert columns is None or columns[0][1] is None


def test_a_part_is_not_given_twice(evaluator: Client, card: Document) -> None:
    response = asked(evaluator, **{"a-reranker": "none", "a-parts": '{"reranker": "features"}'})
    assert "parts" in response.context["sides"][0].errors


def test_an_assistant_that_is_broken_spoils_its_column_alone(evaluator: Client, card: Document) -> None:
    Assistant.objects.create(name="Zepsuty", slug="zepsuty", parts={"wymyslona": 1})
    response = asked(evaluator, **{"a-assistant": "zepsuty"})
    assert response.context["columns"][0][1] is None
    assert titles(response, 1)


def test_a_mark_is_there_when_the_question_is_asked_again(
    evaluator: Client, card: Document, dataset: EvaluationDataset
) -> None:
    response = marked(evaluator, dataset, card, 2)
    assert response.status_code == 302
    again = asked(evaluator, dataset=dataset.pk)
    first = again.context["columns"][0][1].rows[0]
    assert (first.grade, [chosen for _, _, chosen in first.marks]) == (2, [True, False, False])
    assert {measure: values for measure, values, _ in again.context["measures"]}["nDCG@10"] == [1.0, 1.0]


def test_scripts_get_json(evaluator: Client, card: Document, dataset: EvaluationDataset) -> None:
    response = marked(evaluator, dataset, card, 1, headers={"accept": "application/json"})
    assert response.json()["grade"] == 1
    assert grades_of(question_in(dataset, QUESTION)) == {card.uri: 1}
    refused = marked(evaluator, dataset, card, 9, headers={"accept": "application/json"})
    assert (refused.status_code, bool(refused.json()["said"])) == (400, True)


def test_without_scripts_the_page_comes_back_where_it_was(
    evaluator: Client, card: Document, dataset: EvaluationDataset
) -> None:
    given = {"dataset": dataset.pk, "document": card.pk, "question": QUESTION, "grade": 2, "at": "a-1"}
    response = evaluator.post(
        reverse("admin:rag_hit_testing_mark"), given | {"back": f"question=Ile%3F&dataset={dataset.pk}"}
    )
    assert response["Location"] == f"{reverse(PAGE)}?question=Ile%3F&dataset={dataset.pk}#a-1"


def test_a_document_of_another_collection_cannot_be_marked(
    evaluator: Client, internal: Collection, index: AddDocument, dataset: EvaluationDataset
) -> None:
    other = index(internal, "Karta parkingowa: instrukcja.", name="instrukcja.txt")
    assert not asked(evaluator, dataset=dataset.pk).context["columns"][0][1].rows[0].marks
    assert marked(evaluator, dataset, other, 2, headers={"accept": "application/json"}).status_code == 400
    assert not Judgement.objects.exists()


def test_a_hidden_document_is_neither_shown_nor_markable(
    evaluator: Client, restricted: Collection, index: AddDocument
) -> None:
    hidden = index(restricted, "Karta parkingowa prezesa.", name="prezes.txt", title="Prezes")
    assert "Prezes" not in asked(evaluator).content.decode()
    open_set = create_dataset(name="bez kolekcji")
    assert marked(evaluator, open_set, hidden, 2).status_code == 404
    hidden_set = create_dataset(name="poufny", collection=restricted)
    assert "poufny" not in asked(evaluator).content.decode()
    assert marked(evaluator, hidden_set, hidden, 2, headers={"accept": "application/json"}).status_code in (400, 404)
    assert not Judgement.objects.exists()


def test_marks_need_the_permission_to_change_sets(client: Client, card: Document, dataset: EvaluationDataset) -> None:
    looking = signed_in(client, "view_evaluationdataset")
    mark(dataset=dataset, text=QUESTION, document=card, grade=2)
    response = asked(looking, dataset=dataset.pk)
    assert b"data-mark=" not in response.content
    assert response.context["columns"][0][1].rows[0].grade == 2
    assert marked(looking, dataset, card, 0).status_code == 403
    assert Judgement.objects.count() == 1


def test_the_page_needs_the_permission_to_view_sets(client: Client) -> None:
    assert signed_in(client).get(reverse(PAGE)).status_code == 403


def test_only_superusers_look_with_the_eyes_of_others(
    evaluator: Client, superuser: User, internal: Collection, index: AddDocument, employee: User
) -> None:
    index(internal, "Karta parkingowa: instrukcja.", name="instrukcja.txt")
    assert titles(asked(evaluator, reader="anonymous"))  # the choice is not theirs, so it is not heard
    chief = Client()
    chief.force_login(superuser)
    assert titles(asked(chief)) != []
    assert titles(asked(chief, reader="anonymous")) == []
    assert titles(asked(chief, reader="user", username=employee.username)) != []
    assert "username" in asked(chief, reader="user", username="nikt").context["form"].errors


def test_a_new_set_is_chosen_at_once(evaluator: Client, public: Collection) -> None:
    address = reverse("admin:rag_hit_testing_new_set")
    response = evaluator.post(address, {"name": "nowy", "collection": public.pk, "back": "question=Ile%3F"})
    made = EvaluationDataset.objects.get(name="nowy")
    assert made.collection == public
    assert response["Location"] == f"{reverse(PAGE)}?question=Ile%3F&dataset={made.pk}"
    unasked = evaluator.get(reverse(PAGE), {"dataset": made.pk}).context["form"]
    assert f'value="{made.pk}" selected' in str(unasked["dataset"])
    evaluator.post(address, {"name": "nowy"})
    assert EvaluationDataset.objects.count() == 1


def test_a_new_set_needs_the_permission_to_add_one(client: Client) -> None:
    looking = signed_in(client, "view_evaluationdataset", "change_evaluationdataset")
    assert looking.post(reverse("admin:rag_hit_testing_new_set"), {"name": "nowy"}).status_code == 403


def test_personal_data_stay_covered(evaluator: Client, public: Collection, index: AddDocument) -> None:
    Collection.objects.filter(pk=public.pk).update(mask_personal_data=True)
    index(public, "Karta parkingowa kosztuje 30 zł, konto jan.kowalski@example.pl.", name="dane.txt")
    assert "jan.kowalski@example.pl" not in asked(evaluator).content.decode()
