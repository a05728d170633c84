"""What every chunker promises; each implementation inherits the class."""

from itertools import pairwise

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ingestion.chunking.context import locate
from ingestion.chunking.protocol import Chunker
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from ingestion.types import ExtractedText
from tests.steps import steps

_PIECES = st.sampled_from(
    [
        *("# Tytuł\n", "## Rozdział\n\n", "### Punkt\n", "Nagłówek\n===\n"),
        *("Zdanie pierwsze. ", "Art. 5 ust. 2 ustawy. ", "słowo ", "x" * 70, "😀", "> cytat\n"),
        *("| a | b |\n|---|---|\n| 1 | 2 |\n", "| wiersz | tabeli |\n", "```\nkod = 1\n", "```\n"),
        *("- punkt\n", "1. krok\n", "    wcięcie\n", "[link]: http://x\n"),
        *(
            "Rozdział 1\n",
            "Art. 1. ",
            "\nArt. 2. ",
            "§ 1. ",
            "\n§ 2. ",
            "1. ",
            "\n2. ",
            "1) ",
            "a) ",
            "– ",
            "„Art. 7. ",
            "”;",
        ),
        *("def licz(x):\n", "    return x\n", "class Ustawa:\n", "import os\n", "x = [1, 2]\n", "# uwaga\n"),
        *("\n", "\n\n", "\t", "\r\n", "\u00a0"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=600),
    st.lists(_PIECES, max_size=120).map("".join),
    st.lists(st.one_of(_PIECES, st.text(max_size=40)), max_size=60).map("".join),
)
# Every subclass runs the same inherited test: that is the point here, not a mistake.
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.differing_executors])
SIZES = st.tuples(st.integers(1, 60), st.integers(0, 20)).filter(lambda pair: pair[1] < pair[0])


class ChunkerContract:
    """Subclasses set `chunker`, a class that takes `chunk_size` and `overlap`."""

    chunker: type[Chunker]

    def build(self, chunk_size: int, overlap: int) -> Chunker:
        return self.chunker(chunk_size=chunk_size, overlap=overlap)  # type: ignore[call-arg]

    @relaxed
    @given(text=TEXTS, size=SIZES)
    def test_spans_cover_the_text_in_order_and_within_the_size(self, text: str, size: tuple[int, int]) -> None:
        spans = self.build(*size).split(ExtractedText(text=text, extractor="test"))
        seen: set[int] = set()
        for span in spans:
            assert 0 <= span.start < span.end <= len(text)
            assert text[span.start : span.end].strip()
            assert span.end - span.start <= size[0] * CHARACTERS_PER_TOKEN
            seen.update(range(span.start, span.end))
        assert [span.start for span in spans] == sorted(span.start for span in spans)
        assert not [index for index, letter in enumerate(text) if not letter.isspace() and index not in seen]

    @relaxed
    @given(text=TEXTS, size=SIZES)
    @example(text="0\r#" + "0" * 51 + " \r0000000", size=(15, 13))
    def test_no_chunk_lies_inside_its_neighbour(self, text: str, size: tuple[int, int]) -> None:
        spans = self.build(*size).split(ExtractedText(text=text, extractor="test"))
        assert all(one.end < other.end for one, other in pairwise(spans))

    @relaxed
    @given(text=TEXTS, size=SIZES)
    def test_neighbours_share_no_more_than_the_overlap(self, text: str, size: tuple[int, int]) -> None:
        spans = self.build(*size).split(ExtractedText(text=text, extractor="test"))
        assert all(one.end - other.start <= size[1] * CHARACTERS_PER_TOKEN for one, other in pairwise(spans))

    @relaxed
    @given(text=TEXTS, size=SIZES)
    def test_equal_texts_have_equal_chunks(self, text: str, size: tuple[int, int]) -> None:
        extracted = ExtractedText(text=text, extractor="test")
        assert list(self.build(*size).split(extracted)) == list(self.build(*size).split(extracted))

    @relaxed
    @given(text=TEXTS, size=SIZES)
    def test_drafts_quote_the_text_exactly(self, text: str, size: tuple[int, int]) -> None:
        extracted = ExtractedText(text=text, extractor="test")
        for draft in locate(extracted, self.build(*size).split(extracted)):
            assert draft.text == text[draft.start : draft.end] == draft.text.strip()
            assert draft.line_start == text.count("\n", 0, draft.start) + 1
            assert draft.line_end == draft.line_start + draft.text.count("\n")
            assert draft.context_before in text[: draft.start]
            assert draft.context_after in text[draft.end :]

    def test_a_blank_text_has_no_chunks(self) -> None:
        for text in ("", "\n", " \t\n\n\u00a0"):
            assert list(self.build(64, 8).split(ExtractedText(text=text, extractor="test"))) == []

    def test_a_text_that_fits_is_one_chunk(self) -> None:
        spans = self.build(64, 8).split(ExtractedText(text="Jedno zdanie. Drugie zdanie.\n", extractor="test"))
        assert len(spans) == 1

    def test_one_endless_word_is_cut_at_the_size(self) -> None:
        spans = self.build(16, 4).split(ExtractedText(text="x" * 1000, extractor="test"))
        assert len(spans) >= 1000 // 64

    def test_an_impossible_overlap_is_refused(self) -> None:
        for chunk_size, overlap in ((10, 10), (10, -1), (0, 0)):
            try:
                self.build(chunk_size, overlap)
            except ValueError:
                continue
            raise AssertionError(f"accepted overlap {overlap} of {chunk_size}")

    def test_work_grows_with_the_length_not_with_its_square(self) -> None:
        def work(copies: int) -> int:
            text = "Pierwsze zdanie akapitu. Drugie zdanie akapitu.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" * copies
            return steps(lambda: self.build(128, 16).split(ExtractedText(text=text, extractor="test")))

        work(100)  # what is loaded once counts for nobody
        assert work(2_000) < 10 * work(250)
