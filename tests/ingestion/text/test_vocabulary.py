"""The vectors of words, and what they were made of."""

from pathlib import Path

import numpy as np
import pytest

from ingestion.text import meaning
from ingestion.text.meaning.vocabulary import meaning_of_text, topical_lemmas, vocabulary

FOLDER = Path(meaning.__path__[0])


def test_each_word_has_a_unit_vector_and_a_weight() -> None:
    shipped = vocabulary()
    assert len(shipped.rows) == len(shipped.vectors) == len(shipped.weights) == len(shipped.neighbours)
    lengths = np.linalg.norm(shipped.vectors.astype(np.float32), axis=1) / 127
    assert np.quantile(lengths, 0.01) > 0.95
    assert lengths.max() < 1.05
    assert shipped.weights.min() > 0


@pytest.mark.parametrize(("name", "entries"), [("associations.txt", 9000), ("situations.txt", 2000)])
def test_an_entry_has_a_word_or_a_situation_and_several_others(name: str, entries: int) -> None:
    lines = [line for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) > entries
    for line in lines:
        head, _, others = line.partition(": ")
        assert head, line
        assert len(others.split(", ")) >= 5, line


def test_frequent_words_weigh_less_than_rare_ones() -> None:
    shipped = vocabulary()
    weights = [shipped.weights[shipped.rows[word]] for word in ("praca", "faktura", "wersalka")]
    assert weights == sorted(weights)


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [("wersalka", "mebel", "podatek"), ("pies", "zwierzę", "faktura"), ("hałas", "cisza", "paszport")],
)
def test_associated_words_are_near(word: str, near: str, far: str) -> None:
    asked = meaning_of_text(word)
    assert asked @ meaning_of_text(near) > 0.3 > asked @ meaning_of_text(far)


def test_the_nearest_words_are_those_by_their_vectors() -> None:
    shipped = vocabulary()
    near = shipped.near("wersalka")
    assert {"sofa", "mebel", "wielkogabarytowy"} <= near.keys()
    assert list(near.values()) == sorted(near.values(), reverse=True)
    for lemma, cosine in near.items():
        assert 0.3 <= cosine < 1
        assert cosine == pytest.approx(float(meaning_of_text("wersalka") @ meaning_of_text(lemma)), abs=0.02), lemma
    assert shipped.near("Zorblax") == {}


def test_a_text_of_unknown_words_means_nothing() -> None:
    assert not meaning_of_text("Zorblax kwyndrel").any()
    assert not meaning_of_text("").any()


def test_words_without_a_topic_do_not_count() -> None:
    assert topical_lemmas([("czy", "czy"), ("psy", "pies"), ("psa", "pies")]) == {"pies": 2}
