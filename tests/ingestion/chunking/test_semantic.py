from itertools import pairwise

import pytest

from ingestion.chunking.protocol import Chunker
from ingestion.chunking.semantic import SemanticChunker
from ingestion.embedding.hashing import HashingEmbedder
from ingestion.types import ExtractedText
from tests.ingestion.chunking.contract import ChunkerContract

CATS = "Kot pije mleko z miski. Kot domowy śpi na kanapie. Młody kot bawi się kłębkiem. Kot łowi myszy w domu. "
TAXES = "Podatek płaci się w kwietniu. Podatnik składa zeznanie o podatku. Stawka podatku wynosi 12 procent. "


def chunks(text: str, **options: object) -> list[str]:
    embedder = HashingEmbedder(dimension=384)
    built = SemanticChunker(**{"chunk_size": 100, "overlap": 0, "embedder": embedder, **options})  # type: ignore[arg-type]
    return [text[span.start : span.end] for span in built.split(ExtractedText(text=text, extractor="test"))]


class TestSemanticChunker(ChunkerContract):
    chunker = SemanticChunker

    def build(self, chunk_size: int, overlap: int) -> Chunker:
        return SemanticChunker(chunk_size=chunk_size, overlap=overlap, embedder=HashingEmbedder(dimension=16))


def test_a_chunk_ends_where_the_topic_does() -> None:
    text = (CATS + TAXES).strip()
    assert chunks(text, chunk_size=50, window=0, min_size=20) == [CATS.strip(), TAXES.strip()]


def test_sentences_stay_whole() -> None:
    assert all(chunk.endswith(".") and chunk[0].isupper() for chunk in chunks((CATS + TAXES) * 5))


def test_a_topic_shorter_than_the_least_size_does_not_stand_alone() -> None:
    assert all(len(chunk) >= 4 * 60 for chunk in chunks((CATS + TAXES) * 5, min_size=60)[:-1])


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_chunk_repeats_as_many_sentences_as_asked(count: int) -> None:
    sentences = [f"Zdanie numer {number} mówi o rzeczy {number * 7}." for number in range(40)]
    pieces = chunks(" ".join(sentences), overlap=30, overlap_sentences=count)
    for one, other in pairwise(pieces):
        shared = [sentence for sentence in sentences if sentence in one and sentence in other]
        assert len(shared) == count
        assert other.startswith(" ".join(shared))


def test_sentences_longer_than_the_overlap_are_not_repeated() -> None:
    pieces = chunks((CATS + TAXES) * 5, overlap=2, overlap_sentences=2)
    assert "".join(pieces).replace(" ", "") == ((CATS + TAXES) * 5).replace(" ", "")


def test_the_embedder_may_be_named_as_in_the_settings() -> None:
    text = (CATS + TAXES) * 3
    assert chunks(text, embedder="hashing") == chunks(text)


@pytest.mark.parametrize("wrong", [{"percentile": 0}, {"percentile": 100}, {"min_size": 101}])
def test_impossible_options_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="percentile"):
        chunks("Tekst.", **wrong)
