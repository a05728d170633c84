"""Templates can be read: no line runs out of the window."""

from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "templates"
KINDS = {".html", ".txt", ".md"}
LONGEST = 160


def test_no_line_of_a_template_is_longer_than_160_characters() -> None:
    files = [path for path in TEMPLATES.rglob("*") if path.suffix in KINDS]
    assert files
    long = [
        f"{path.relative_to(TEMPLATES)}:{number}"
        for path in sorted(files)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert long == []
