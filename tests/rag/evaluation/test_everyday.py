"""Everyday questions: what each came to, what that adds up to, and which got worse."""

import json
from pathlib import Path
from typing import Any

import pytest

from rag.evaluation.answers.report import JudgedAnswer
from rag.evaluation.answers.wording import contains
from rag.evaluation.datasets.questions import InvalidQuestionSet, LabelledQuestion, is_expected, read_questions
from rag.evaluation.datasets.shipped_sets import SHIPPED_SETS
from rag.evaluation.everyday.changes import compare_outcomes
from rag.evaluation.everyday.outcomes import (
    EverydayOutcome as Came,
)
from rag.evaluation.everyday.outcomes import (
    EverydayQuestion,
    everyday_questions,
    read_outcomes,
    stored_outcomes,
)
from rag.evaluation.everyday.report import EverydayReport
from rag.evaluation.everyday.wording import KINDS, everyday_figures, everyday_values
from tests.rag.evaluation.answers import an_answer


def judged(outcome: str, *, rank: int | None = None, confidence: float = 0.5, has: bool | None = True) -> JudgedAnswer:
    question = LabelledQuestion(
        id="q", question="Ile?", answerable=has is not None, expected_documents=("urlop.md",) if has is not None else ()
    )
    answer = an_answer("26 dni", outcome=outcome, confidence=confidence)
    return JudgedAnswer(question=question, answer=answer, document_rank=rank, contains_expected=has)


def asked(outcome: Came, confidence: float = 0.5, **fields: Any) -> EverydayQuestion:
    return EverydayQuestion(
        outcome=outcome, confidence=confidence, **{"kind": "who", "answerable": True, "rank": 1, **fields}
    )


@pytest.mark.parametrize(
    ("item", "outcome"),
    [
        (judged("answered"), Came.RIGHT),
        (judged("answered", has=False, confidence=0.69), Came.WRONG),
        (judged("answered", has=False, confidence=0.7), Came.SURE_WRONG),
        (judged("not_certain", rank=1), Came.NEAREST),
        (judged("not_certain", rank=2), Came.DOUBTED),
        (judged("not_found", rank=1), Came.REFUSED),
        (judged("answered", has=None, confidence=0.9), Came.SURE_WRONG),
        (judged("not_found", has=None), Came.REFUSED),
        (judged("not_certain", has=None), Came.DOUBTED),
    ],
)
def test_an_answer_is_right_refused_not_certain_or_wrong(item: JudgedAnswer, outcome: Came) -> None:
    assert everyday_questions([item])["q"].outcome == outcome


def test_an_answer_whose_labels_do_not_say_what_it_must_contain_is_not_judged() -> None:
    question = LabelledQuestion(id="q", question="Ile?", expected_documents=("urlop.md",))
    item = JudgedAnswer(question=question, answer=an_answer("26 dni"), document_rank=1, contains_expected=None)
    assert everyday_questions([item]) == {}


def test_outcomes_are_kept_as_they_are() -> None:
    outcomes = {"a": asked(Came.RIGHT), "b": asked(Came.DOUBTED, kind="", answerable=False, rank=None)}
    assert read_outcomes(json.loads(json.dumps(stored_outcomes(outcomes)))) == outcomes


REPORT = EverydayReport(
    asked=(
        asked(Came.RIGHT, 0.95),
        asked(Came.RIGHT, 0.85, rank=3),
        asked(Came.WRONG, 0.25, rank=4),
        asked(Came.SURE_WRONG, 0.95, rank=0),
        asked(Came.NEAREST),
        asked(Came.DOUBTED, rank=2),
        asked(Came.REFUSED, kind="when"),
        asked(Came.REFUSED, kind="near_miss", answerable=False, rank=None),
        asked(Came.WRONG, 0.35, kind="near_miss", answerable=False, rank=None),
        asked(Came.REFUSED, kind="far", answerable=False, rank=None),
    )
)


def test_the_figures_are_shares_of_what_they_are_about() -> None:
    shares = {one.code: (one.count, one.total) for one in everyday_figures(REPORT) if one.total}
    assert shares == {
        "right": (2, 7),
        "refused_though_answerable": (1, 7),
        "not_certain": (2, 7),
        "refused_rightly_near_miss": (1, 2),
        "refused_rightly_far": (1, 1),
        "wrong_of_answered": (3, 5),
        "wrong_though_sure": (1, 5),
        "document_first": (3, 7),
        "document_in_top_3": (5, 7),
    }


def test_confidence_is_held_against_the_answers_that_were_given() -> None:
    """Of right 0.95, 0.85 and wrong 0.95, 0.35, 0.25 the pairs in the right order are 2 + 2, and one tie counts half.

    In bins: 0.9–1 has two with one right, 0.8–0.9 one right, 0.3–0.4 and 0.2–0.3 one wrong each.
    """
    assert REPORT.auc == pytest.approx(4.5 / 6)
    assert REPORT.calibration_error == pytest.approx((2 * 0.45 + 0.15 + 0.35 + 0.25) / 5)
    assert REPORT.mean_confidence == pytest.approx(0.67)
    assert REPORT.share_right == pytest.approx(0.4)


def test_nothing_is_told_of_answers_that_there_are_none_of() -> None:
    figures = {one.code: one.value for one in everyday_figures(EverydayReport(asked=(asked(Came.REFUSED),)))}
    assert figures["calibration_error"] is figures["auc_of_confidence"] is None
    assert not figures.keys() & {"wrong_of_answered", "refused_rightly", "refused_rightly_far"}


def test_every_figure_has_a_name_and_says_in_a_line_what_it_means() -> None:
    figures = everyday_figures(REPORT)
    assert all(one.name and 10 < len(one.meaning) < 150 for one in figures)
    assert len({one.name for one in figures}) == len(figures)


def test_each_kind_has_its_own_reliability() -> None:
    kinds = everyday_values(REPORT, None)["kinds"]
    assert list(kinds) == ["who", "when", "near_miss", "far"]
    assert kinds["who"] == {
        "asked": 6, "right": 2, "refused": 0, "answered": 4, "confidence": 0.75, "share_right": 0.5,
    }  # fmt: skip
    assert kinds["when"]["confidence"] is None


def test_a_set_without_kinds_has_no_table_of_them() -> None:
    assert EverydayReport(asked=(asked(Came.RIGHT, kind=""),)).kinds == {}


def test_questions_that_got_worse_are_named_the_greatest_loss_first() -> None:
    before = {
        "a": asked(Came.RIGHT),
        "b": asked(Came.RIGHT),
        "c": asked(Came.WRONG),
        "d": asked(Came.REFUSED),
        "e": asked(Came.RIGHT),
    }
    after = {"a": asked(Came.NEAREST), "b": asked(Came.SURE_WRONG), "c": asked(Came.REFUSED), "d": asked(Came.REFUSED)}
    changes = compare_outcomes(before, after)
    assert [(one.key, one.before, one.after) for one in changes.worse] == [
        ("b", Came.RIGHT, Came.SURE_WRONG),
        ("a", Came.RIGHT, Came.NEAREST),
    ]
    assert [one.key for one in changes.better] == ["c"]
    assert changes.common == 4


def test_of_a_question_without_an_answer_the_refusal_is_best() -> None:
    none = {"answerable": False, "rank": None}
    before = {"a": asked(Came.REFUSED, **none), "b": asked(Came.WRONG, **none)}
    after = {"a": asked(Came.DOUBTED, **none), "b": asked(Came.REFUSED, **none)}
    changes = compare_outcomes(before, after)
    assert ([one.key for one in changes.worse], [one.key for one in changes.better]) == (["a"], ["b"])


def test_a_question_whose_label_says_another_thing_now_is_not_compared() -> None:
    changes = compare_outcomes({"a": asked(Came.RIGHT)}, {"a": asked(Came.WRONG, answerable=False)})
    assert (changes.worse, changes.better, changes.common) == ((), (), 0)


@pytest.mark.parametrize(
    ("expected", "there"),
    [
        ("14 dni | dwa tygodnie", True),
        ("miesiąc|14 dni", True),
        ("miesiąc | kwartał", False),
        ("przesł*", True),
        ("sł*", False),
        ("1*", False),  # of 14
        ("!Burmistrz", True),
        ("!wniosek", False),
        ("*", False),
    ],
)
def test_labels_name_alternatives_beginnings_and_what_must_not_be_there(expected: str, there: bool) -> None:
    assert contains("Wniosek należy przesłać w ciągu 14 dni [1].", expected) is there


def test_sets_that_others_wrote_are_read(tmp_path: Path) -> None:
    row = {"id": "k1", "corpus": "ksef", "question": "Do kiedy?", "answerable": True, "documents": ["tryby.md"],
           "answer": "7 dni", "contains": [["7 dni", "siedem dni"], ["awari"]], "evidence": "…", "kind": "when",
           "style": "keywords", "asker": "it", "why": "…"}  # fmt: skip
    path = tmp_path / "obce.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    assert list(read_questions(path)) == [
        LabelledQuestion(
            id="k1", question="Do kiedy?", kind="when", expected_documents=("tryby.md",), expected_answer="7 dni",
            expected_answer_contains=("7 dni* | siedem dni*", "awari*"),
        )
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [{"contains": 5}, {"contains": [[1]]}, {"contains": [None]}, {"dokument": "a"}])
def test_what_is_wrong_in_such_a_set_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    path = tmp_path / "obce.jsonl"
    path.write_text(json.dumps({"id": "k1", "question": "Do kiedy?", **wrong}), encoding="utf-8")
    with pytest.raises(InvalidQuestionSet):
        list(read_questions(path))


def test_a_document_is_known_by_its_end() -> None:
    assert is_expected("ksef/docs/tryby.md", ["docs/tryby.md"])
    assert is_expected("tryby.md", ["tryby.md"])
    assert not is_expected("ksef/inne-tryby.md", ["tryby.md"])


def test_the_shipped_everyday_questions_are_whole_and_their_halves_share_no_document() -> None:
    halves = [list(read_questions(SHIPPED_SETS[name])) for name in ("codzienne", "codzienne-proba")]
    for half in halves:
        kinds = [question.kind for question in half]
        assert (len(half), kinds.count("near_miss"), kinds.count("far")) == (150, 30, 10)
        assert set(kinds) <= set(KINDS) - {""}
        assert all(q.answerable == bool(q.expected_documents and q.expected_answer_contains) for q in half)
        assert all(q.answerable != (q.kind in {"near_miss", "far"}) for q in half)
    documents = [{name for question in half for name in question.expected_documents} for half in halves]
    assert documents[0].isdisjoint(documents[1])
