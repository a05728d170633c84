"""What an answer by rules is worth, and what it is shown as."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from ingestion.models import Collection
from rag.answering.judgement.judge import shipped
from rag.answering.judgement.parts import PARTS
from rag.events import AnswerDelta, CitationAdded, Completed, DraftRevised
from rag.search.relevance.calibration import Calibration
from rag.services.ask import answer_question, ask
from rag.services.ask_request import AskRequest
from rag.types import Answer
from tests.conftest import AddDocument

LEAVE = "# Urlopy\n\nUrlopu udziela kierownik na wniosek.\n\nPracownikowi przysługuje 26 dni urlopu.\n"
MAYOR = "# Burmistrz\n\nBurmistrz przyjmuje mieszkańców w poniedziałki od 14:00 do 16:00.\n"
OFFICE = "# Kasa\n\nKasa jest czynna od 8:00 do 15:00. Opłaty przyjmuje kasjer.\n"
OPEN = {"min_relevance": 0.0, "least_answerable": 0.0, "certain_confidence": 0.0}


@pytest.fixture(autouse=True)
def documents(public: Collection, index: AddDocument) -> None:
    for name, text in (("urlopy", LEAVE), ("burmistrz", MAYOR), ("kasa", OFFICE)):
        index(public, text, name=f"{name}.md", title=name.capitalize())


def asked(question: str, **parts: float) -> Answer:
    """Every threshold is 0 but those of `parts`."""
    viewer = User(username="redaktor", is_superuser=True, is_active=True)
    return answer_question(question, viewer=viewer, parts={**OPEN, **parts}, save=False, cached=False)


def values(question: str) -> dict[str, float]:
    return {part.name: part.value for part in asked(question).verification.confidence_parts}


class TestParts:
    def test_each_is_a_share_and_has_a_weight_that_is_never_negative(self) -> None:
        parts = asked("Ile dni urlopu przysługuje pracownikowi?").verification.confidence_parts
        assert {part.name for part in parts} == set(PARTS)
        assert all(0 <= part.value <= 1 and part.weight >= 0 for part in parts)

    def test_a_thing_that_the_library_has_never_heard_of_is_strange(self) -> None:
        assert values("Ile dni urlopu na pogrzeb kanarka?")["familiar"] < values("Ile dni urlopu?")["familiar"]

    def test_one_strange_word_of_two_weighs_more_than_one_of_many(self) -> None:
        aside = values("Ile dni urlopu od kierownika ma pracownik z kanarkiem?")["familiar"]
        assert values("urlop kanarka")["familiar"] < aside < 1

    def test_words_that_people_ask_no_office_with_are_unusual(self) -> None:
        assert values("Kiedy burmistrz gotuje barszcz?")["usual"] < values("Kiedy burmistrz wydaje zgodę?")["usual"]

    def test_an_unusual_word_that_the_answer_says_is_none(self, public: Collection, index: AddDocument) -> None:
        index(public, "# Bufet\n\nBarszcz z uszkami podaje bufet.\n", name="bufet.md", title="Bufet")
        assert values("Kto podaje barszcz?")["usual"] > values("Kto podaje bigos w bufecie?")["usual"]

    def test_a_passage_that_is_far_ahead_is_more_evidence_than_one_of_two(self) -> None:
        one_of_two, far_ahead = values("burmistrz albo urlop"), values("burmistrz przyjmuje mieszkańców albo urlop")
        assert one_of_two["ahead"] < far_ahead["ahead"] < 1
        assert far_ahead["ahead"] > 0.5

    def test_a_sentence_that_answers_is_likely_whichever_is_quoted(self) -> None:
        parts, others = values("Ile dni urlopu przysługuje pracownikowi?"), values("Ile kosztuje urlop pracownika?")
        assert parts["read"] <= parts["likely"]
        assert others["likely"] < parts["likely"]


class TestOutcome:
    QUESTION = "Ile dni urlopu przysługuje pracownikowi?"

    @pytest.mark.parametrize(("chance", "least", "most"), [(0.5, 0.5, 0.5), (0.8, 0.69, 0.7), (0.95, 0.7, 0.95)])
    def test_confidence_passes_for_sure_only_where_few_are_wrong(
        self, chance: float, least: float, most: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Calibration, "chance", lambda self, values: chance)
        assert least <= asked(self.QUESTION).confidence <= most

    def test_an_answer_good_enough_is_one(self) -> None:
        answer = asked(self.QUESTION)
        assert answer.outcome == "answered"
        assert answer.confidence == answer.verification.confidence > 0

    def test_one_that_is_not_certain_stands_under_a_sentence_that_says_so(self) -> None:
        answer = asked(self.QUESTION, certain_confidence=1.0)
        assert answer.outcome == "not_certain"
        assert answer.text.startswith("Nie ma pewności, że źródła odpowiadają na to pytanie.")
        assert "26 dni" in answer.text
        assert answer.confidence <= 0.4
        assert answer.citations

    @pytest.mark.parametrize("question", ["Ile kosztuje urlop pracownika?", "Jak się nazywa burmistrz?"])
    def test_what_has_nothing_of_the_kind_asked_for_is_no_answer(self, question: str) -> None:
        assert asked(question, least_answerable=0.01).outcome == "not_found"

    def test_what_says_nothing_of_the_year_asked_about_is_no_answer(self) -> None:
        this = timezone.localdate().year
        question = "Ile dni urlopu przysługuje pracownikowi w {} roku?"
        assert asked(question.format(this + 1), least_answerable=0.01).outcome == "not_found"
        assert asked(question.format(this), least_answerable=0.01).outcome == "answered"

    @pytest.mark.parametrize(
        ("question", "outcome"),
        [("przepis na pierogi od kierownika", "not_found"), ("Ile dni urlopu przysługuje na psa?", "answered")],
    )
    def test_what_says_nothing_of_the_thing_asked_about_needs_all_else_to_speak_for_it(
        self, question: str, outcome: str
    ) -> None:
        assert asked(question, least_answerable=0.42).outcome == outcome

    @pytest.mark.parametrize(
        ("question", "outcome"),
        [
            ("E_LOCK_07 co robić", "answered"),
            ("e_lock_07", "answered"),
            ("E_LOCK_08 co robić", "not_found"),
            ("Ile kosztuje zastrzyk przy E_LOCK_07?", "not_found"),
        ],
    )
    def test_a_code_that_stands_in_the_passage_is_what_is_asked_about(
        self, question: str, outcome: str, public: Collection, index: AddDocument
    ) -> None:
        text = "# Kasy\n\nKomunikat E_LOCK_07 pojawia się, gdy szuflada jest zablokowana. Otwórz ją kluczem.\n"
        index(public, text, name="kasy.md", title="Kasy")
        assert asked(question, least_answerable=0.98).outcome == outcome

    def test_it_says_so_in_the_language_of_the_question(self) -> None:
        answer = asked("How many days of urlop does a pracownik have?", certain_confidence=1.0)
        assert answer.text.startswith("It is not certain that the sources answer this question.")

    def test_what_the_passages_hardly_answer_is_not_found(self) -> None:
        answer = asked(self.QUESTION, least_answerable=1.0)
        assert answer.outcome == "not_found"
        assert (answer.citations, answer.confidence) == ((), 0.0)
        assert answer.passages

    def test_a_question_that_is_answered_is_trusted_more_than_one_that_is_not(self) -> None:
        assert asked(self.QUESTION).confidence > asked("Kto jest burmistrzem?").confidence

    @pytest.mark.parametrize(
        ("parts", "shown"), [({}, "26 dni"), ({"certain_confidence": 1.0}, "26 dni"), ({"least_answerable": 1.0}, "")]
    )
    def test_the_reader_sees_nothing_that_is_taken_back(self, parts: dict[str, float], shown: str) -> None:
        viewer = User(username="redaktor", is_superuser=True, is_active=True)
        request = AskRequest(question=self.QUESTION, viewer=viewer, parts={**OPEN, **parts}, save=False, cached=False)
        events: list[Any] = list(ask(request))
        answer = next(event.answer for event in events if isinstance(event, Completed))
        assert not any(isinstance(event, DraftRevised) for event in events)
        assert "".join(event.text for event in events if isinstance(event, AnswerDelta)) == answer.text
        assert shown in answer.text
        assert bool(shown) == any(isinstance(event, CitationAdded) for event in events)


def test_the_shipped_weights_say_what_they_were_fitted_on() -> None:
    assert set(shipped()) == {"right", "answerable"}
    for chance in shipped().values():
        assert set(chance.inputs) == set(PARTS)
        assert chance.questions > 300
        assert chance.fitted_on
        assert chance.chance(dict.fromkeys(PARTS, 1.0)) > chance.chance(dict.fromkeys(PARTS, 0.0))


def test_a_stranger_may_ask_too() -> None:
    answer = answer_question(
        "Ile dni urlopu przysługuje pracownikowi?", viewer=AnonymousUser(), save=False, cached=False
    )
    assert answer.outcome == "answered"


class TestSmallBases:
    """Two to six documents, whose words are all rare or all common: counts say little there."""

    @pytest.fixture(autouse=True)
    def documents(self, public: Collection, index: AddDocument) -> None:
        """Others than those of the module."""
        for number, (what, price) in enumerate((("basen", 14), ("siłownia", 18))):
            text = f"# Cennik: {what}\n\nBilet na {what} kosztuje {price} zł. Bilet kupuje się w kasie.\n"
            index(public, text, name=f"cennik-{number}.md", title=f"Cennik: {what}")

    @pytest.mark.parametrize(
        ("question", "said"),
        [
            ("Ile kosztuje bilet na basen?", "14 zł"),
            ("bilet siłownia cena", "18 zł"),
            ("Gdzie kupuje się bilet?", "kasie"),
        ],
    )
    def test_what_one_paragraph_of_two_alike_documents_says_is_answered(self, question: str, said: str) -> None:
        viewer = User(username="redaktor", is_superuser=True, is_active=True)
        answer = answer_question(question, viewer=viewer, save=False, cached=False)
        assert (answer.outcome, said in answer.text) == ("answered", True)

    def test_what_is_about_others_of_a_series_is_no_answer(self, public: Collection, index: AddDocument) -> None:
        for number in (2, 5):
            text = f"# Pralka X{number}\n\nPralka X{number} kosztuje {number}00 zł i jest w wersji {number}.\n"
            index(public, text, name=f"pralka-{number}.md", title=f"Pralka X{number}")
        assert "500 zł" in asked("Ile kosztuje pralka X5?", least_answerable=0.01).text
        assert asked("Ile kosztuje pralka X9?", least_answerable=0.01).outcome == "not_found"
        assert asked("ile kosztuje pralka w wersji 3", least_answerable=0.01).outcome == "not_found"

    def test_an_amount_of_something_is_no_member_of_a_series(self, public: Collection, index: AddDocument) -> None:
        index(public, "# Urlop\n\nPo stażu 10 lat urlop trwa 26 dni.\n", name="urlop.md", title="Urlop")
        assert "26 dni" in asked("Mam staż 12 lat, ile trwa urlop?", least_answerable=0.01).text

    @pytest.mark.parametrize("question", ["przepis na bigos", "Kto wygrał mundial?", "jak przyciąć hortensje"])
    def test_what_has_nothing_to_do_with_them_is_not_found(self, question: str) -> None:
        viewer = User(username="redaktor", is_superuser=True, is_active=True)
        assert answer_question(question, viewer=viewer, save=False, cached=False).outcome == "not_found"
