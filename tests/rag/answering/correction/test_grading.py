from dataclasses import replace

import pytest

from knowledgetree.conf import CorrectionSettings
from rag.answering.correction.policy import grade, strength
from rag.types import Passage

BLANK = Passage(
    chunk_id=1, document_id=1, collection="c", title="T", uri="u", media_type="text/plain", text="x",
    start=0, end=1, line_start=1, line_end=1,
)  # fmt: skip


def passages(*relevances: float) -> list[Passage]:
    return [replace(BLANK, chunk_id=number, relevance=value) for number, value in enumerate(relevances, start=1)]


@pytest.mark.parametrize(
    ("relevances", "quality"),
    [
        ((0.76, 0.1), "HIGH"),
        ((0.75, 0.74), "MEDIUM"),
        ((0.7, 0.6, 0.5, 0.4, 0.35), "MEDIUM"),
        ((0.7, 0.6, 0.5, 0.4, 0.3), "LOW"),
        ((0.7, 0.6, 0.5, 0.4, 0.35, 0.0, 0.0), "MEDIUM"),
        ((), "LOW"),
    ],
)
def test_the_best_passage_suffices_else_the_average_of_five_counts(relevances: tuple[float, ...], quality: str) -> None:
    assert grade(passages(*relevances), CorrectionSettings()) == quality


def test_the_order_of_passages_plays_no_part() -> None:
    assert strength(passages(0.2, 0.9)) == strength(passages(0.9, 0.2)) == pytest.approx((0.9, 0.55))
