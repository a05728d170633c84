"""The knowledge base knows nothing of questions, not even a name in a string."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

_NAMED = re.compile(r"\brag[._/:]")


def strings(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield f"{path.relative_to(folder)}:{node.lineno}", node.value


def test_no_string_of_the_knowledge_base_names_a_page_or_a_model_of_questions() -> None:
    said = list(strings(Path(settings.BASE_DIR) / "ingestion"))
    assert len(said) > 1000
    assert [where for where, value in said if _NAMED.search(value)] == []


def test_no_template_of_the_knowledge_base_names_one_either() -> None:
    said = {path: path.read_text() for path in (Path(settings.BASE_DIR) / "templates/admin/ingestion").rglob("*.html")}
    assert len(said) > 30
    assert [path.name for path, text in said.items() if _NAMED.search(text)] == []


def test_a_name_is_seen() -> None:
    assert [bool(_NAMED.search(text)) for text in ("rag.exchange", "admin:rag_gap", "fragment.", "ragged")] == [
        True,
        True,
        False,
        False,
    ]
