import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.text.personal_data.detection import find_personal_data
from ingestion.text.personal_data.masking import COVER, masked, masked_address, masked_values

PIECES = ["PESEL 44051401359", "601 234 567", "jan@urzad.pl", "zwykły tekst", "\n", "| ", "• ", "🙂", "NIP 5261040828"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=20), max_size=20).map(" ".join))
def test_a_masked_text_is_as_long_and_has_no_personal_data_left(text: str) -> None:
    covered = masked(text)
    assert len(covered) == len(text)
    assert find_personal_data(covered) == []
    assert masked(covered) == covered
    assert all(sign in (before, COVER) for before, sign in zip(text, covered, strict=True))


def test_white_space_stays_so_that_lines_and_columns_do() -> None:
    assert masked("tel. 22 123 45 67\nkonto") == "tel. •• ••• •• ••\nkonto"


def test_known_places_are_covered_even_where_nothing_says_what_they_are() -> None:
    assert masked("012100784 i dalej", [(0, 9)]) == "••••••••• i dalej"
    assert masked("012100784", [(-5, 3), (7, 99)]) == "•••1007••"


def test_every_text_of_a_json_value_is_masked() -> None:
    assert masked_values({"a": ["jan@urzad.pl", 3, None], "b": ("x",)}) == {"a": ["••••••••••••", 3, None], "b": ["x"]}


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("wnioski/44051401359.md", "wnioski/•••••••••••.md"),
        ("https://urzad.pl/osoby/44051401359/", "https://urzad.pl/osoby/•••••••••••/"),
        ("skargi/jan@example.pl/1.pdf", "skargi/••••••••••••••/1.pdf"),
        ("uchwaly/2024/123.pdf", "uchwaly/2024/123.pdf"),
    ],
)
def test_a_number_that_names_a_folder_or_a_file_is_covered_in_its_address(address: str, shown: str) -> None:
    assert masked_address(address) == shown
