"""MaxScore leaves out postings, never a chunk that belongs among the best."""

import random
from collections.abc import Iterable

import numpy as np
import pytest

from ingestion.text.index_format.posting_lists import Postings
from rag.search.retrieval import max_score
from rag.search.retrieval.max_score import MaxScore, ScoredChunks, ScoredRows, WeightedList

CONSTANT, BY_WORD = 0.3, 0.01
CHUNKS = 3_000


@pytest.fixture(params=[0, 10**9], ids=["some left out", "all at once"])
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(max_score, "_FEW", request.param)


def drawn_list(source: random.Random, size: int) -> WeightedList:
    """Of a term that so many chunks have; the rarer, the more it weighs."""
    chunks = np.array(sorted(source.sample(range(1, CHUNKS), size)))
    lemmas = np.array(source.choices((0, 1, 1, 1, 2, 5), k=size))
    weight = np.log(CHUNKS / size)
    return WeightedList(
        postings=Postings(chunks, lemmas, np.where(lemmas == 0, 1, lemmas - 1), 20 + chunks % 97),
        lemma=float(source.choice((0.0, 0.8, 0.8)) * weight),
        form=0.4 * float(weight),
        quoted=source.random() < 0.3,
    )


def drawn_rows(source: random.Random, size: int) -> ScoredRows:
    chunks = np.array(source.sample(range(1, CHUNKS + 50), size), np.int64)
    return ScoredRows(
        chunks=chunks,
        scores=np.array([source.uniform(0.1, 9) for _ in chunks]),
        quoted=np.array(source.choices((0, 1), k=size), np.int16),
    )


def drawn(seed: int, *, quoted: bool = False, late: int = 0) -> MaxScore:
    source = random.Random(seed)
    lists = [drawn_list(source, size) for size in source.sample((5, 40, 60, 200, 500, 900, 1400, 2000, 2500), k=5)]
    rows = drawn_rows(source, source.choice((0, 30)))
    return MaxScore(
        lists=lists,
        rows=rows,
        constant=CONSTANT,
        by_word=BY_WORD,
        late=source.sample(range(1, CHUNKS), late) + rows.chunks[:late].tolist(),
        quoted=sum(one.quoted for one in lists) if quoted else 0,
    )


def every_score(asked: MaxScore) -> ScoredChunks:
    """One posting after the other, none left out."""
    scores: dict[int, float] = {}
    quoted: dict[int, int] = {}
    for chunk, score, count in zip(asked.rows.chunks, asked.rows.scores, asked.rows.quoted, strict=True):
        scores[chunk], quoted[chunk] = score, count
    for one in asked.lists:
        for chunk, lemma, form, length in zip(*one.postings, strict=True):
            if chunk not in asked.late:
                norm = CONSTANT + BY_WORD * length
                added = one.lemma * lemma / (lemma + norm) + one.form * form / (form + norm)
                scores[chunk] = scores.get(chunk, 0.0) + added
                quoted[chunk] = quoted.get(chunk, 0) + (one.quoted and form > 0)
    found = [chunk for chunk in scores if scores[chunk] > 0 and (not asked.quoted or quoted[chunk] == asked.quoted)]
    return ScoredChunks(np.array(found, np.int64), np.array([scores[chunk] for chunk in found]))


def assert_the_same(asked: MaxScore, limits: Iterable[int] = (1, 10, 100, CHUNKS)) -> None:
    for limit in limits:
        found, wanted = asked.best(limit), every_score(asked).best(limit)
        assert found.chunks.tolist() == wanted.chunks.tolist()
        assert found.scores == pytest.approx(wanted.scores)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("seed", range(6))
def test_the_best_are_those_of_every_posting(seed: int) -> None:
    assert_the_same(drawn(seed))


@pytest.mark.usefixtures("few")
def test_what_was_written_after_the_lists_counts_by_its_rows() -> None:
    for seed in range(4):
        assert_the_same(drawn(seed, late=20))
        assert_the_same(drawn(seed, late=20, quoted=True))


def test_only_chunks_with_all_quoted_terms_are_found() -> None:
    for seed in range(4):
        assert_the_same(drawn(seed, quoted=True))


def test_keys_far_apart_are_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(max_score, "_SPAN", 0)
    monkeypatch.setattr(max_score, "_FEW", 0)
    assert_the_same(drawn(1, late=5))


def test_a_few_chunks_set_the_bar_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(max_score, "_COMPARED", 10)
    monkeypatch.setattr(max_score, "_FEW", 0)
    assert_the_same(drawn(2))


def test_a_long_list_is_read_for_the_chunks_that_can_still_win(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(max_score, "_FEW", 0)
    read = []

    class Counted(np.ndarray):  # type: ignore[type-arg]
        def __getitem__(self, key: object) -> object:
            read.append(np.size(key))
            return super().__getitem__(key)  # type: ignore[index]

    rare, frequent = (drawn_list(random.Random(3), size) for size in (60, 2500))
    rows = drawn_rows(random.Random(3), 0)
    counted = Postings(*(row if place == 0 else row.view(Counted) for place, row in enumerate(frequent.postings)))
    lists = [
        WeightedList(postings=rare.postings, lemma=9.0, form=9.0),
        WeightedList(postings=counted, lemma=0.1, form=0.1),
    ]
    MaxScore(lists=lists, rows=rows, constant=CONSTANT, by_word=BY_WORD).best(5)
    assert read
    assert max(read) <= 60


def test_no_lists_and_no_rows_are_no_chunks() -> None:
    nothing = MaxScore(lists=(), rows=drawn_rows(random.Random(1), 0), constant=CONSTANT, by_word=BY_WORD)
    assert nothing.best(5).chunks.tolist() == []


def test_the_best_of_equal_scores_are_those_with_lower_keys() -> None:
    found = ScoredChunks(np.arange(10, 20), np.array([1.0, 2.0, 2.0, 2.0, 3.0, 1.0, 2.0, 2.0, 0.5, 1.0]))
    assert found.best(4).chunks.tolist() == [14, 11, 12, 13]
    assert found.best(50).chunks.tolist()[:6] == [14, 11, 12, 13, 16, 17]
