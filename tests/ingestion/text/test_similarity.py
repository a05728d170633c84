"""How well edited copies are told from other texts: measured on made-up prose, where every change is known."""

import random

import pytest

from ingestion.text.similarity import NEAR, Sketched, joined, similarity, sketch
from tests.steps import steps

RANDOM = random.Random(20)
WORDS = [
    "".join(RANDOM.choice("bcdfgklmnprstwz") + RANDOM.choice("aeiouy") for _ in range(RANDOM.randint(1, 4)))
    for _ in range(3000)
]
WEIGHTS = [1 / (rank + 5) for rank in range(len(WORDS))]  # as in a language: few words are frequent


def prose(words: int) -> list[str]:
    return RANDOM.choices(WORDS, WEIGHTS, k=words)


def edited(words: list[str], share: float) -> str:
    """With `share` of the words replaced, left out or added to, anywhere."""
    copy = list(words)
    for place in RANDOM.sample(range(len(copy)), round(share * len(copy))):
        copy[place] = RANDOM.choice([*RANDOM.choices(WORDS, WEIGHTS, k=2), "", f"{copy[place]} nadto"])
    return " ".join(filter(None, copy))


def drawn(text: str) -> Sketched:
    sketched = sketch(text)
    assert sketched is not None
    return sketched


def is_found(one: Sketched, other: Sketched) -> bool:
    """As the index does it: a band in common, then the estimate."""
    return bool(set(one.bands) & set(other.bands)) and similarity(one.signature, other.signature) >= NEAR


@pytest.mark.parametrize(
    ("share", "least", "most"), [(0.0, 1.0, 1.0), (0.05, 1.0, 1.0), (0.1, 0.98, 1.0), (0.4, 0.0, 0.03)]
)
def test_copies_with_one_word_in_ten_changed_are_found_and_rewritten_texts_are_not(
    share: float, least: float, most: float
) -> None:
    texts = [prose(120) for _ in range(200)]
    found = sum(is_found(drawn(" ".join(text)), drawn(edited(text, share))) for text in texts) / len(texts)
    assert least <= found <= most


def test_different_texts_in_the_same_words_are_never_taken_for_copies() -> None:
    sketches = [drawn(" ".join(prose(120))) for _ in range(150)]
    assert not [1 for number, one in enumerate(sketches) for other in sketches[:number] if is_found(one, other)]


@pytest.mark.parametrize("share", [0.05, 0.1, 0.2])
def test_the_similarity_is_the_share_of_words_that_stayed(share: float) -> None:
    text = prose(2000)
    assert similarity(drawn(" ".join(text)).signature, drawn(edited(text, share)).signature) == pytest.approx(
        1 - share, abs=0.08
    )


def test_case_punctuation_and_white_space_do_not_count() -> None:
    assert drawn("Urlop wypoczynkowy, 20 dni.") == drawn("URLOP\n\nwypoczynkowy – 20  dni")


def test_the_sketch_of_a_document_is_that_of_its_chunks_together() -> None:
    halves = [" ".join(prose(300)) for _ in range(2)]
    together = joined([drawn(half) for half in halves])
    assert together is not None
    assert similarity(together.signature, drawn(" ".join(halves)).signature) > 0.95


def test_a_text_without_words_has_no_sketch_and_a_word_has_one() -> None:
    assert sketch(" – ") is None
    assert joined([]) is None
    assert similarity(drawn("urlop").signature, drawn("Urlop!").signature) == 1.0
    assert similarity(drawn("urlop").signature, drawn("podatek").signature) < NEAR


def test_the_work_of_a_sketch_grows_with_its_text_not_with_its_square() -> None:
    def work(chunks: int) -> int:
        texts = [" ".join(prose(130)) for _ in range(chunks)]
        return steps(lambda: joined([drawn(text) for text in texts]))

    work(160)  # hashes of words are kept
    assert work(160) < 10 * work(20)
