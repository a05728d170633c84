"""The golden set that judges where nobody chose another."""

import pytest
from django.core.management import CommandError, call_command

from ingestion.admin.collections.rechunking_forms import NewRechunkingForm
from ingestion.admin.spaces.forms import ActivationForm
from ingestion.models import Collection, EmbeddingSpace
from ingestion.renewal.gate import activation_gate, default_gate
from ingestion.selectors import operator
from ingestion.services.spaces import create_space
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.datasets.shipped_sets import GOLDEN_SET, store_shipped_set
from tests.conftest import AddDocument

pytestmark = pytest.mark.django_db


@pytest.fixture
def golden(public: Collection, index: AddDocument) -> str:
    """The everyday set cut short: two documents expected, one of them there."""
    index(public, "Pracownikowi przysługuje 26 dni urlopu wypoczynkowego.", uri="urlop.md")
    asked = [
        LabelledQuestion(id="q1", question="Ile mam wolnego urlopu?", expected_documents=("urlop.md",)),
        LabelledQuestion(id="q2", question="Kto rządzi?", expected_documents=("burmistrz.md",)),
    ]
    store_dataset(name=GOLDEN_SET, questions=asked)
    return GOLDEN_SET


def test_without_the_documents_it_asks_about_nothing_judges(public: Collection) -> None:
    store_shipped_set(GOLDEN_SET)
    assert (list(activation_gate().known()), default_gate()) == ([], "")


def test_it_is_measured_in_what_everyone_may_read(golden: str, public: Collection, internal: Collection) -> None:
    gate = activation_gate()
    assert (list(gate.known()), default_gate()) == ([golden], golden)
    assert gate.collections_of(golden) == {public.pk}
    assert gate.measure(golden, progress=lambda done, total: None) == 0.5


def test_what_it_says_nothing_of_is_not_judged_by_it(golden: str, public: Collection, internal: Collection) -> None:
    assert (default_gate([public, internal]), default_gate([internal])) == (golden, "")


def test_documents_that_only_some_may_read_do_not_count(internal: Collection, index: AddDocument) -> None:
    index(internal, "Widełki płac.", uri="place.md")
    question = LabelledQuestion(id="q1", question="Ile zarabia?", expected_documents=("place.md",))
    store_dataset(name=GOLDEN_SET, questions=[question])
    assert default_gate() == ""


def test_forms_offer_it_chosen(golden: str, public: Collection) -> None:
    assert ActivationForm().initial["gate"] == golden
    assert NewRechunkingForm(viewer=operator()).initial["gate"] == golden


@pytest.mark.parametrize("mine", [True, False])
def test_left_alone_in_the_form_it_judges_only_what_it_is_about(
    golden: str, public: Collection, internal: Collection, mine: bool
) -> None:
    chosen = public if mine else internal
    form = NewRechunkingForm({"collections": [chosen.pk], "gate": golden, "margin": "0.01"}, viewer=operator())
    assert form.is_valid()
    assert form.wanted()["gate"] == (golden if mine else "")


@pytest.mark.django_db(transaction=True)
def test_the_command_has_it_judge_unless_told_otherwise(golden: str) -> None:
    create_space(embedder="hashing", options={"dimension": 64}, name="nowa")
    strict = ["--activate", "--margin", "-0.5"]  # even as good is not enough
    with pytest.raises(CommandError, match="nDCG@10"):
        call_command("reembed", "--space", "nowa", *strict)
    call_command("reembed", "--space", "nowa", *strict, "--gate", "")
    assert EmbeddingSpace.objects.get(name="nowa").status == "active"
