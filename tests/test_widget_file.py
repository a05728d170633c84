"""The widget and the client are one file each, small, and what they say they are."""

import gzip
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.widget_file import FOLDER, MAIN, TARGET, in_order, widget_script

CLIENT, TYPES = FOLDER / "client.js", FOLDER / "client.d.ts"
_TOP = re.compile(r"^(?:export )?(?:async )?(?:class|function\*?|const|let) (\w+)", re.M)
_EXPORTED = re.compile(r"^export (?:async )?(?:class|function)\*? (\w+)", re.M)
_FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\.cssText|setAttribute\(.style"
    r"|localStorage|sessionStorage|document\.cookie|indexedDB"
)
_METHOD = re.compile(r"^  (?:async )?\*?([a-z]\w*)\(", re.M)


def test_the_widget_is_made_of_its_parts() -> None:
    assert TARGET.read_text(encoding="utf-8") == widget_script(), "run: python -m tests.widget_file"


def test_no_two_parts_use_one_name() -> None:
    names = Counter(name for path in in_order(MAIN) for name in _TOP.findall(path.read_text(encoding="utf-8")))
    assert len(names) > 30
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize(("path", "most"), [(TARGET, 30), (CLIENT, 8)], ids=["widget", "client"])
def test_a_file_is_small(path: Path, most: int) -> None:
    """In KB of gzip."""
    assert len(gzip.compress(path.read_bytes())) <= most * 1000


def test_the_widget_writes_no_html_and_keeps_nothing_on_the_device() -> None:
    """A host page may require trusted types, and forbid what is inline; no storage asks for no consent."""
    script = TARGET.read_text(encoding="utf-8")
    assert _FORBIDDEN.findall(script) == []


def test_types_declare_what_the_client_exports() -> None:
    code, types = CLIENT.read_text(encoding="utf-8"), TYPES.read_text(encoding="utf-8")
    assert set(_EXPORTED.findall(code)) == set(_EXPORTED.findall(types)) == {
        "KnowledgeTree", "KnowledgeTreeError", "eventsOf",
    }  # fmt: skip
    offered = set(_METHOD.findall(_class(code, "KnowledgeTree")))
    assert offered == set(_METHOD.findall(_class(types, "KnowledgeTree"))) == {
        "constructor", "ask", "answer", "search", "feedback", "session",
    }  # fmt: skip


def _class(code: str, name: str) -> str:
    return code.partition(f"export class {name} {{")[2].partition("\n}\n")[0]
