from ingestion.chunking.context import WINDOW, locate
from ingestion.types import ChunkDraft, ExtractedText, Page, Span

TEXT = (
    "Pierwsze zdanie tekstu.\nDrugie zdanie tekstu. Trzecie zdanie.\n\nCzwarte zdanie. Piąte zdanie. Szóste zdanie.\n"
)


def draft(text: str, passage: str, *, pages: tuple[Page, ...] = (), sentences: int = 2) -> ChunkDraft:
    start = text.index(passage)
    span = Span(start=start, end=start + len(passage), heading_path=("A",), kind="list")
    (found,) = locate(ExtractedText(text=text, extractor="test", pages=pages), [span], sentences=sentences)
    return found


def test_white_space_at_the_ends_is_left_out() -> None:
    found = draft(TEXT, "\n\nCzwarte zdanie. ")
    assert (found.text, TEXT[found.start : found.end]) == ("Czwarte zdanie.", "Czwarte zdanie.")


def test_path_and_kind_are_kept() -> None:
    found = draft(TEXT, "Czwarte zdanie.")
    assert (found.heading_path, found.kind) == (("A",), "list")


def test_lines_count_from_one_and_include_the_last() -> None:
    assert (draft(TEXT, "Pierwsze").line_start, draft(TEXT, "Pierwsze").line_end) == (1, 1)
    found = draft(TEXT, "Trzecie zdanie.\n\nCzwarte")
    assert (found.line_start, found.line_end) == (2, 4)


def test_a_passage_that_ends_with_its_line_stays_on_it() -> None:
    assert draft(TEXT, "Pierwsze zdanie tekstu.\n").line_end == 1


def test_pages_are_those_of_the_first_and_last_character() -> None:
    pages = (
        Page(number=1, start=0, end=24),
        Page(number=2, start=24, end=64),
        Page(number=5, start=64, end=len(TEXT)),
    )
    found = draft(TEXT, "Drugie zdanie tekstu. Trzecie zdanie.\n\nCzwarte", pages=pages)
    assert (found.page_start, found.page_end) == (2, 5)
    assert draft(TEXT, "Pierwsze zdanie tekstu.", pages=pages).page_end == 1


def test_a_passage_that_ends_with_its_page_stays_on_it() -> None:
    end = TEXT.index("tekstu.") + len("tekstu.")
    pages = (Page(number=1, start=0, end=end), Page(number=2, start=end, end=len(TEXT)))
    assert draft(TEXT, "Pierwsze zdanie tekstu.", pages=pages).page_end == 1


def test_a_text_without_pages_has_none() -> None:
    assert draft(TEXT, "Drugie").page_start is None


def test_context_is_two_sentences_on_each_side() -> None:
    found = draft(TEXT, "Czwarte zdanie.")
    assert found.context_before == "Drugie zdanie tekstu. Trzecie zdanie."
    assert found.context_after == "Piąte zdanie. Szóste zdanie."


def test_context_is_empty_at_the_edges_of_the_text() -> None:
    found = draft(TEXT, TEXT)
    assert (found.context_before, found.context_after) == ("", "")


def test_no_context_is_kept_where_none_is_wanted() -> None:
    found = draft(TEXT, "Czwarte zdanie.", sentences=0)
    assert (found.context_before, found.context_after) == ("", "")


def test_context_of_a_text_without_sentences_stays_within_the_window() -> None:
    found = draft("słowo " * 5_000 + "CEL" + " słowo" * 5_000, "CEL")
    assert len(found.context_before) <= WINDOW
    assert len(found.context_after) <= WINDOW


def test_context_has_no_sentence_that_the_window_cut_in_two() -> None:
    long = "To jest zdanie, które ma wiele słów" + ", a za nimi następne" * 60 + "."
    before = draft(f"{long} Krótkie zdanie. CEL", "CEL")
    assert before.context_before == "Krótkie zdanie."
    after = draft(f"CEL Krótkie zdanie. {long}", "CEL")
    assert after.context_after == "Krótkie zdanie."


def test_a_blank_span_gives_no_draft() -> None:
    assert locate(ExtractedText(text="a \n\n b", extractor="test"), [Span(start=1, end=4)]) == []
