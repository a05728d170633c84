"""The page that measures a synonym group: what it shows, to whom, and that search stays as it was."""

from copy import copy
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Synonym, SynonymGroup
from ingestion.services.synonyms import save_synonym
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.synonym_effect import measure_effect
from rag.models import EvaluationDataset
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

TEXTS = {
    "telepraca.txt": "Telepraca wymaga zgody przełożonego i osobnej umowy.",
    "parking.txt": "Karta parkingowa mieszkańca kosztuje 30 zł rocznie.",
    "biblioteka.txt": "Książki z biblioteki wypożycza się na miesiąc.",
}
QUESTIONS = {
    "Zorblax?": "telepraca.txt",
    "Ile kosztuje karta parkingowa?": "parking.txt",
    "Na jak długo wypożycza się książki?": "biblioteka.txt",
}


@pytest.fixture
def group(db: None) -> SynonymGroup:
    group = SynonymGroup.objects.create(name="praca zdalna", enabled=False)
    for position, text in enumerate(("zorblax", "telepraca")):
        save_synonym(synonym=Synonym(group=group, text=text, position=position))
    return group


def make_dataset(collection: Collection, index: AddDocument, name: str) -> EvaluationDataset:
    uris = {file: index(collection, text, name=file).uri for file, text in TEXTS.items()}
    for number in range(12):  # among three documents nDCG@10 finds everything
        index(collection, f"Uchwała numer {number} w sprawie dróg gminnych.", name=f"uchwala-{number}.txt")
    questions = [
        LabelledQuestion(id=text, question=text, expected_documents=(uris[file],)) for text, file in QUESTIONS.items()
    ]
    return store_dataset(name=name, questions=questions, collection=collection)


@pytest.fixture(scope="module")
def kept_dataset(kept_rows: Kept) -> EvaluationDataset:
    with kept_rows.writing():
        return make_dataset(make_public(), index_text, "gmina")


@pytest.fixture
def dataset(kept_dataset: EvaluationDataset, db: None) -> EvaluationDataset:
    return copy(kept_dataset)


@pytest.fixture
def editor(db: None, client: Client) -> Client:
    user = User.objects.create_user("redaktor", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="ingestion"))
    client.force_login(user)
    return client


def address(group: SynonymGroup) -> str:
    return reverse("admin:ingestion_synonymgroup_effect", args=[group.pk])


def effect(client: Client, group: SynonymGroup, dataset: EvaluationDataset) -> Any:
    response = client.post(address(group), {"dataset": dataset.pk})
    assert response.status_code == 200
    return response


@pytest.mark.slow
@pytest.mark.parametrize("enabled", [False, True])
def test_a_synonym_that_helps_shows_an_improvement_and_stays_as_it_was(
    editor: Client, group: SynonymGroup, dataset: EvaluationDataset, enabled: bool
) -> None:
    SynonymGroup.objects.filter(pk=group.pk).update(enabled=enabled)
    response = effect(editor, group, dataset)
    measured = response.context["effect"]
    assert [difference.measure for difference in measured.differences] == ["nDCG@10", "Recall@5", "MRR@10"]
    assert measured.differences[0].change > 0
    assert measured.questions == 3
    assert [question.text for question in measured.better] == ["Zorblax?"]
    assert measured.worse == ()
    assert "Zorblax?" in response.content.decode()
    group.refresh_from_db()
    assert group.enabled is enabled


def test_the_group_stays_as_it_was_when_measuring_fails(
    group: SynonymGroup, dataset: EvaluationDataset, public: Collection
) -> None:
    public.slug = "nie-ma-takiej"  # unsaved: search refuses it
    with pytest.raises(Exception, match="nie-ma-takiej"):
        measure_effect(group, dataset, public)
    group.refresh_from_db()
    assert not group.enabled


def test_the_form_offers_the_sets_and_measures_nothing_yet(
    editor: Client, group: SynonymGroup, dataset: EvaluationDataset
) -> None:
    response = editor.get(address(group))
    assert dataset in response.context["form"].fields["dataset"].queryset
    assert response.context["effect"] is None
    page = response.content.decode()
    assert '<form method="post"' in page
    assert "gmina" in page


def test_the_change_page_of_the_group_leads_here(editor: Client, group: SynonymGroup) -> None:
    page = editor.get(reverse("admin:ingestion_synonymgroup_change", args=[group.pk])).content.decode()
    assert address(group) in page


def test_a_set_of_a_collection_that_the_editor_may_not_read_is_not_offered(
    editor: Client, group: SynonymGroup, restricted: Collection
) -> None:
    hidden = store_dataset(name="tajny", questions=[], collection=restricted)
    response = editor.get(address(group))
    assert not response.context["available"]
    assert "tajny" not in response.content.decode()
    refused = effect(editor, group, hidden)
    assert refused.context["effect"] is None


def test_sets_of_other_collections_than_the_groups_are_not_offered(
    editor: Client, group: SynonymGroup, public: Collection, internal: Collection
) -> None:
    SynonymGroup.objects.filter(pk=group.pk).update(collection=internal)
    store_dataset(name="jawny", questions=[], collection=public)
    assert not editor.get(address(group)).context["available"]


def test_a_set_without_labelled_documents_says_so(editor: Client, group: SynonymGroup, public: Collection) -> None:
    empty = store_dataset(name="pusty", questions=[], collection=public)
    response = effect(editor, group, empty)
    assert response.context["effect"].differences == ()
    assert "The set has no question" in response.content.decode() or "W zbiorze nie ma" in response.content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_may_not_change_synonyms_is_refused(client: Client, group: SynonymGroup, method: str) -> None:
    user = User.objects.create_user("czytelnik", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_synonymgroup"))
    client.force_login(user)
    assert getattr(client, method)(address(group)).status_code == 403


def test_a_group_of_a_hidden_collection_does_not_exist(
    editor: Client, group: SynonymGroup, restricted: Collection
) -> None:
    SynonymGroup.objects.filter(pk=group.pk).update(collection=restricted)
    assert editor.get(address(group)).status_code == 404
