"""The program's guides: asked where somebody asks them, kept as administrators set them up, renewed with a release."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.management import CommandError, call_command
from django.test import Client

from ingestion.library.sample import GUIDES
from ingestion.models import Collection, Document
from ingestion.services.files.arrivals import PLACE
from knowledgetree.guides import guides_are_loaded, load_guides, outdated_guides
from rag.evaluation.datasets.questions import read_questions
from rag.evaluation.datasets.shipped_sets import SHIPPED_SETS
from rag.models import Assistant, EvaluationDataset
from rag.selectors.assistants import HELP
from rag.selectors.scope import searched_collections
from rag.types import Filters
from tests.conftest import AddDocument

ADDRESS = f"/?assistant={HELP}"


@pytest.fixture
def guides(db: None) -> Collection:
    load_guides(enqueue=False)
    return Collection.objects.get(slug=HELP)


def test_guides_are_searched_only_where_they_are_chosen(guides: Collection, public: Collection) -> None:
    chosen, assistant = Filters(collections=(HELP,)), Assistant.objects.get(slug=HELP)
    by_nobody = Assistant.objects.create(name="Wszystko", slug="wszystko")
    assert searched_collections(AnonymousUser(), Filters()) == [public]
    assert searched_collections(AnonymousUser(), Filters(), by_nobody) == [public]
    assert searched_collections(AnonymousUser(), chosen) == [guides]
    assert searched_collections(AnonymousUser(), Filters(), assistant) == [guides]
    assert EvaluationDataset.objects.get(name=HELP).collection == guides


def test_what_an_administrator_changed_stays(guides: Collection) -> None:
    Collection.objects.update(visibility="internal", only_when_chosen=False)
    Assistant.objects.update(name="Zapytaj o program", suggestions=[])
    load_guides(enqueue=False)
    assert Collection.objects.values_list("visibility", "only_when_chosen").get() == ("internal", False)
    assert Assistant.objects.values_list("name", "suggestions").get() == ("Zapytaj o program", [])


def test_a_guide_that_changed_is_outdated_until_it_is_loaded(guides: Collection) -> None:
    assert outdated_guides() == 0
    Document.objects.filter(uri="przewodnik/redaktor.md").update(given={PLACE: {"path": "", "checksum": "0" * 64}})
    Document.objects.filter(uri="przewodnik/czytelnik.md").delete()
    Document.objects.filter(uri="przewodnik/utrzymanie.md").update(status="archived", given={})
    assert outdated_guides() == 2
    load_guides(enqueue=False)
    assert outdated_guides() == 0


def test_deleted_guides_stay_away_until_somebody_loads_them(guides: Collection) -> None:
    Document.objects.all().delete()
    guides.delete()
    assert not guides_are_loaded()
    assert outdated_guides() == 0
    load_guides(enqueue=False)
    assert Assistant.objects.get(slug=HELP).collections.get().slug == HELP


@pytest.mark.django_db
def test_a_collection_of_ones_own_by_that_name_is_left_alone(index: AddDocument) -> None:
    own = Collection.objects.create(name="Pomoc dla mieszkańców", slug=HELP)
    index(own, "Telefon zaufania: 800 12 12 12.", name="telefony.txt")
    assert outdated_guides() == 0
    with pytest.raises(CommandError):
        call_command("load_guides")
    assert Collection.objects.get().name == "Pomoc dla mieszkańców"


def test_pages_lead_to_the_guides_where_their_reader_may_read_them(
    guides: Collection, superuser: User, client: Client
) -> None:
    assert ADDRESS in client.get("/").content.decode()
    Collection.objects.update(visibility="restricted")
    assert ADDRESS not in client.get("/").content.decode()
    client.force_login(superuser)
    assert all(ADDRESS in client.get(page).content.decode() for page in ("/", "/library/", "/admin/"))


def test_guides_are_no_documents_of_ones_own(guides: Collection, superuser: User, client: Client) -> None:
    client.force_login(superuser)
    Document.objects.update(status="ready")
    assert client.get("/").context["nothing_to_read"]
    assert not client.get(ADDRESS).context["nothing_to_read"]
    assert {step.name for step in client.get("/admin/").context["start"].steps if step.done} == set()


def test_every_guide_is_loaded() -> None:
    manifest = json.loads(GUIDES.read_text(encoding="utf-8"))
    loaded = {entry["path"] for collection in manifest["collections"] for entry in collection["documents"]}
    assert loaded == {f"przewodnik/{path.name}" for path in GUIDES.parent.glob("*.md")}


@pytest.mark.parametrize("name", [HELP, f"{HELP}-proba"])
def test_the_guides_have_what_the_questions_about_them_expect(name: str) -> None:
    questions = list(read_questions(SHIPPED_SETS[name]))
    number = {"pomoc": (44, 37), "pomoc-proba": (20, 16)}[name]
    assert (len(questions), sum(question.answerable for question in questions)) == number
    for question in (question for question in questions if question.answerable):
        text = "".join((GUIDES.parents[1] / path).read_text(encoding="utf-8") for path in question.expected_documents)
        for wanted in question.expected_answer_contains:
            assert any(one.strip().rstrip("*") in text for one in wanted.split("|")), (question.id, wanted)
