import pytest

from ingestion.reading.formats.text.source_code import code_language
from ingestion.reading.registry import extract


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.py", "python"), ("A.TS", "typescript"), ("Dockerfile", "dockerfile"), ("a.txt", "")],
)  # fmt: skip
def test_the_language_follows_the_name(name: str, language: str) -> None:
    assert code_language(name) == language


def test_code_stands_as_it_was_written() -> None:
    source = "def podatek():\n    # Zażółć\n    return 0.23\n"
    media_type, found = extract(source.encode("cp1250"), name="a.py", max_bytes=1000, max_characters=1000)
    assert (media_type, found.text) == ("text/x-python", source)
    assert found.metadata == {"kind": "code", "language": "python"}


def test_code_that_begins_like_a_page_is_code() -> None:
    assert extract(b"<html><?php echo 1; ?></html>", name="a.php", max_bytes=99, max_characters=99)[0] == "text/x-php"
