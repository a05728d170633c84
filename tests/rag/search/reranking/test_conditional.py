import pytest

from rag.search.reranking.conditional import SHIPPED, Thresholds, lead, normalised_scores, skip_reason, thresholds
from rag.search.retrieval.ranking import Hit
from rag.search.stages.legs import Rankings
from rag.types import Explanation, FusionMethod, Passage

WEIGHTS = {"lexical": 0.6, "dense": 0.4, "graph": 0.0}
CLEAR = {"lexical": [Hit(1, 20.0), Hit(2, 5.0), Hit(3, 4.0)], "dense": [Hit(1, 0.9), Hit(3, 0.3)]}
CLOSE = {"lexical": [Hit(1, 20.0), Hit(2, 19.0)], "dense": [Hit(2, 0.9), Hit(1, 0.88)]}


def found(by_leg: dict[str, list[Hit]], method: FusionMethod = "weighted") -> list[Passage]:
    ranked = Rankings(by_leg=by_leg, weights=WEIGHTS, method=method).explained()
    return [passage(chunk, explanation) for chunk, explanation in ranked]


def passage(chunk: int, explanation: Explanation) -> Passage:
    place = {"document_id": 1, "start": 0, "end": 1, "line_start": 1, "line_end": 1}
    names = {"collection": "c", "title": "t", "uri": "u", "media_type": "text/plain", "text": "x"}
    return Passage(chunk_id=chunk, explanation=explanation, score=explanation.fusion_score, **place, **names)


def test_the_best_in_every_leg_scores_one() -> None:
    assert normalised_scores(found(CLEAR), WEIGHTS) == pytest.approx([1.0, 0.6 * 0.2 + 0.4 * 0.3 / 0.9, 0.6 * 0.25])


@pytest.mark.parametrize("method", ["weighted", "rrf", "max"])
def test_a_lead_is_the_same_whatever_the_fusion(method: FusionMethod) -> None:
    assert lead(normalised_scores(found(CLEAR, method), WEIGHTS)) == pytest.approx(1 - (0.6 * 0.2 + 0.4 / 3))
    assert skip_reason(normalised_scores(found(CLEAR, method), WEIGHTS), SHIPPED)
    assert not skip_reason(normalised_scores(found(CLOSE, method), WEIGHTS), SHIPPED)


def test_under_weighted_fusion_the_normalised_score_is_the_fused_one() -> None:
    passages = found(CLOSE)
    assert normalised_scores(passages, WEIGHTS) == pytest.approx([passage.score for passage in passages])


def test_where_legs_and_fusion_disagree_nobody_leads() -> None:
    assert lead([0.5, 0.8]) < 0
    assert not skip_reason([0.5, 0.8], Thresholds(gap=0.0))


@pytest.mark.parametrize(
    ("limits", "scores", "skipped"),
    [
        (Thresholds(gap=0.2), [0.8, 0.6, 0.1], True),
        (Thresholds(gap=0.2), [0.8, 0.61, 0.1], False),
        (Thresholds(top=0.9), [0.9, 0.9, 0.1], True),
        (Thresholds(top=0.9), [0.89, 0.2, 0.1], False),
        (Thresholds(variance=0.01), [0.5, 0.45, 0.4], True),
        (Thresholds(variance=0.01), [0.9, 0.45, 0.4], False),
        (Thresholds(), [1.0, 0.0, 0.0], False),
    ],
)
def test_each_reason_has_its_threshold_and_none_switches_it_off(
    limits: Thresholds, scores: list[float], skipped: bool
) -> None:
    scores = [round(score, 9) for score in scores]
    assert bool(skip_reason(scores, limits)) is skipped


def test_one_passage_needs_no_order() -> None:
    assert skip_reason([0.3], Thresholds())


def test_a_space_has_its_own_thresholds() -> None:
    assert thresholds({"method": "rrf"}) == SHIPPED
    own = thresholds({"skip_gap": None, "skip_top": 0.9})
    assert own == Thresholds(gap=None, top=0.9, variance=SHIPPED.variance)
