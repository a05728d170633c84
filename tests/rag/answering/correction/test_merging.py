from dataclasses import replace

from rag.answering.correction.merging import merged
from rag.question import Evidence
from rag.types import Passage, Quality, SearchResult, Tokens
from tests.rag.answering.correction.test_grading import BLANK


def found(*passages: tuple[int, float], quality: Quality = "HIGH", corrected: bool = False) -> Evidence:
    shown = tuple(replace(BLANK, chunk_id=chunk, relevance=relevance) for chunk, relevance in passages)
    usage = {"expansion": Tokens(input=10, output=1)}
    return Evidence(
        result=SearchResult(passages=shown, quality=quality, usage=usage, latency={"lexical": 2.0}), corrected=corrected
    )


def numbers(passages: tuple[Passage, ...]) -> list[int]:
    return [passage.chunk_id for passage in passages]


def test_searches_take_turns() -> None:
    both = merged([found((1, 0.9), (2, 0.8)), found((3, 0.5), (4, 0.4))], limit=3)
    assert numbers(both.result.passages) == [1, 3, 2]


def test_what_several_searches_found_is_not_pushed_out_by_the_best_of_each() -> None:
    first, second, third = found((1, 0.9), (9, 0.3)), found((3, 0.9), (9, 0.2)), found((5, 0.9), (6, 0.8))
    assert numbers(merged([first, second, third], limit=3).result.passages) == [9, 1, 3]


def test_a_passage_found_twice_stands_once_with_its_greater_relevance() -> None:
    both = merged([found((1, 0.2)), found((1, 0.9), (2, 0.1))], limit=5)
    assert [(p.chunk_id, p.relevance) for p in both.result.passages] == [(1, 0.9), (2, 0.1)]


def test_it_is_as_good_as_its_worst_part_and_costs_what_all_cost() -> None:
    both = merged([found((1, 0.9)), found((2, 0.1), quality="LOW", corrected=True)], limit=5)
    assert both.result.quality == "LOW"
    assert both.corrected
    assert both.result.usage == {"expansion": Tokens(input=20, output=2)}
    assert both.result.latency == {"lexical": 4.0}
