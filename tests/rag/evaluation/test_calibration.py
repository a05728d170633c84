"""Fitting relevance: known weights come back, and chances are as good as they say."""

import zlib

import numpy as np
import pytest
from django.utils import translation

from rag.evaluation.calibration.fitting import calibrate, fit_calibration
from rag.evaluation.calibration.page import calibration_page
from rag.evaluation.calibration.reliability import calibration_error, measure_reliability, reliability_bins, roc_auc
from rag.evaluation.datasets.questions import InvalidQuestionSet, LabelledQuestion
from rag.evaluation.ranked_questions import Drawn, RankedQuestion, Shown
from rag.models import EvaluationDataset

CHANCE = np.random.default_rng(7)


def shown(early: float, kinship: float = 0.5, *, score: float = 0.0, graded: bool = True) -> Shown:
    values = {"early": early, "kinship": kinship, "score": score, "logit": score}
    return Shown(values=values, relevance=0.5, graded=graded)


def asked(passages: list[Shown], *, answerable: bool, number: int) -> RankedQuestion:
    question = LabelledQuestion(id=str(number), question="Ile?", answerable=answerable)
    drawn = Drawn(dataset=EvaluationDataset(name="a"), key=f"a:{number}", question=question, answerable=answerable)
    return RankedQuestion(drawn=drawn, passages=tuple(passages))


def both_kinds(each: int) -> list[RankedQuestion]:
    """Answerable questions find more of their words, with some overlap."""
    can = [asked([shown(0.4 + 0.6 * n / each)], answerable=True, number=n) for n in range(each)]
    cannot = [asked([shown(0.6 * n / each)], answerable=False, number=n + each) for n in range(each)]
    return can + cannot


def test_known_weights_come_back() -> None:
    values = CHANCE.normal(size=(20_000, 2))
    labels = CHANCE.random(20_000) < 1 / (1 + np.exp(-(2.0 * values[:, 0] + 0.5 * values[:, 1])))
    fitted = fit_calibration([shown(*row).values for row in values.tolist()], labels, ["early", "kinship"])
    assert fitted.inputs["early"].weight / fitted.inputs["early"].scale == pytest.approx(2.0, abs=0.1)
    assert fitted.inputs["kinship"].weight / fitted.inputs["kinship"].scale == pytest.approx(0.5, abs=0.06)
    assert fitted.chance({"early": 0.0, "kinship": 0.0}) == pytest.approx(0.5, abs=0.02)


def test_more_of_an_input_is_never_less_relevant() -> None:
    labels = np.array([True, False] * 50)
    examples = [shown(float(label), kinship=float(not label)).values for label in labels]
    assert fit_calibration(examples, labels, ["early", "kinship"]).inputs["kinship"].weight == 0


def test_kinds_that_part_perfectly_do_not_end_in_certainty() -> None:
    labels = np.array([True, False] * 10)
    fitted = fit_calibration([shown(float(label)).values for label in labels], labels, ["early"])
    assert fitted.chance({"early": 1.0}) == pytest.approx(11 / 12, abs=0.01)
    assert fitted.chance({"early": 0.0}) == pytest.approx(1 / 12, abs=0.01)


def test_an_input_that_never_changes_is_no_error() -> None:
    labels = np.array([True, False] * 10)
    fitted = fit_calibration([shown(0.5).values for _ in labels], labels, ["early"])
    assert fitted.chance({"early": 0.5}) == pytest.approx(0.5, abs=0.001)


def test_a_predictor_that_is_right_about_itself_has_no_calibration_error() -> None:
    chances = np.repeat(np.arange(0.05, 1, 0.1), 1000)
    labels = np.concatenate([np.arange(1000) < round(1000 * chance) for chance in np.arange(0.05, 1, 0.1)])
    assert measure_reliability(chances, labels).ece < 0.001
    assert measure_reliability(chances, labels).ece_width < 0.001


def test_a_constant_predictor_is_wrong_by_its_distance_from_a_half() -> None:
    labels = np.array([True] * 30 + [False] * 10)  # either outcome counts half
    measured = measure_reliability(np.full(40, 0.9), labels)
    assert measured.ece_width == pytest.approx(0.4)
    assert measured.brier == pytest.approx((0.1**2 + 0.9**2) / 2)
    assert measured.auc == 0.5


def test_bins_of_equal_width_hold_what_belongs_there_and_those_of_equal_mass_as_much_as_the_others() -> None:
    chances, labels = np.linspace(0.8, 1.0, 100), np.array([True, False] * 50)
    assert len(reliability_bins(chances, labels, equal_mass=False)) == 2
    assert [round(part.mass, 2) for part in reliability_bins(chances, labels, equal_mass=True)] == [0.1] * 10
    assert calibration_error(reliability_bins(chances, labels, equal_mass=True)) == pytest.approx(0.4, abs=0.01)


def test_auc_counts_pairs_in_the_right_order_and_ties_half() -> None:
    assert roc_auc(np.array([0.9, 0.4, 0.4, 0.1]), np.array([True, True, False, False])) == 0.875


def test_an_ungraded_passage_of_an_answerable_question_counts_for_nothing() -> None:
    ungraded, graded = shown(0.9, graded=False), shown(0.2)
    assert asked([ungraded, graded], answerable=True, number=1).example == graded
    assert asked([ungraded], answerable=True, number=1).example is None
    assert asked([ungraded, graded], answerable=False, number=1).example == ungraded


def test_questions_are_measured_by_weights_of_the_other_half() -> None:
    report = calibrate(both_kinds(60), inputs=["early"])
    assert report.before.auc == 0.5
    assert report.after.auc > 0.85
    assert report.after.ece < 0.15
    least = report.refusals_after[0]
    assert least.answerable < least.unanswerable


def test_no_question_is_measured_by_weights_that_it_helped_to_fit() -> None:
    """In one half words speak for an answer, in the other against it: neither half says anything good of the other."""
    questions = []
    for number in range(200):
        can, in_one_half = number % 4 < 2, zlib.crc32(f"a:{number}".encode()) % 2 == 0
        questions.append(asked([shown(0.9 if can is in_one_half else 0.1)], answerable=can, number=number))
    assert calibrate(questions, inputs=["early"]).after.auc < 0.5


def test_too_few_questions_are_refused() -> None:
    with pytest.raises(InvalidQuestionSet, match="10"):
        calibrate(both_kinds(9), inputs=["early"])


def test_scores_that_are_chances_count_by_their_logit() -> None:
    questions = [
        asked([shown(0.5, score=0.9 if can else 0.1)], answerable=can, number=n)
        for n, can in enumerate([True, False] * 15)
    ]
    assert "logit" in calibrate(questions, inputs=["early", "score"]).calibration.inputs
    questions.append(asked([shown(0.5, score=4.0)], answerable=True, number=99))
    assert "score" in calibrate(questions, inputs=["early", "score"]).calibration.inputs


def test_the_page_draws_both_diagrams_escapes_names_and_needs_nothing_from_elsewhere() -> None:
    report = calibrate(both_kinds(30), inputs=["early"])
    page = calibration_page(report, space="<b>x</b>", reranker="none", datasets=["<script>"])
    assert page.count("<svg") == 2
    assert page.count("<circle") == len(report.before.bins) + len(report.after.bins)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "<b>x</b>" not in page
    assert not any(outside in page for outside in ("http://", "https://", "src=", "@import"))


@pytest.mark.parametrize(
    ("language", "said"),
    [("pl", ("Kalibracja trafności", "Po dopasowaniu", "0,2")), ("en", ("Calibration of relevance", "Fitted", "0.2"))],
)
def test_the_page_speaks_the_language_of_who_asked_for_it(language: str, said: tuple[str, ...]) -> None:
    with translation.override(language):
        page = calibration_page(calibrate(both_kinds(30), inputs=["early"]), space="x", reranker="none", datasets=["y"])
    assert f'<html lang="{language}">' in page
    assert [words for words in said if words not in page] == []
    assert ("odpowied" in page) == (language == "pl")
