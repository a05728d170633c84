"""What documents name exists: files, folders and modules, so that a walk through the house ends at no wall."""

import re
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path

import pytest

from knowledgetree.conf import rag_settings

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md"))
    if path.name != "CHANGELOG.md"
]
_PATH = re.compile(r"(?<![\w/.-])((?:rag|ingestion|knowledgetree|tests|benchmarks|fixtures|templates)/[\w./-]*\w/?)")
_MODULE = re.compile(r"`((?:rag|ingestion|knowledgetree)(?:\.\w+){2,})`")  # two parts alone are permissions or settings


def missing(text: str) -> list[str]:
    paths = [path for path in _PATH.findall(text) if not (ROOT / path).exists()]
    return paths + [name for name in _MODULE.findall(text) if not _is_known(name)]


def _is_known(name: str) -> bool:
    """A module, a name in one, or a setting."""
    module, _, attribute = name.rpartition(".")
    try:
        if hasattr(import_module(module), attribute) or find_spec(name):
            return True
    except ModuleNotFoundError:
        pass
    try:
        attrgetter(name)(rag_settings())
    except AttributeError:
        return False
    return True


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_exists(document: Path) -> None:
    assert missing(document.read_text(encoding="utf-8")) == []


def test_a_wrong_name_is_noticed() -> None:
    assert missing("`rag/nowhere/at_all.py` and `rag.nowhere.at.All` and `rag.types.Nobody`") == [
        "rag/nowhere/at_all.py", "rag.nowhere.at.All", "rag.types.Nobody",
    ]  # fmt: skip
