"""The widget as one file: `python -m tests.widget_file` writes `knowledgetree/static/widget/widget.js` from its parts.

The parts are modules, for people to read; the one who puts the widget on a page loads a script. What each imports is
put before it, and the lines that import and export are left out; names are unique over all parts (the test of the file
sees to it).
"""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "knowledgetree/static/widget"
TARGET = FOLDER / "widget.js"
MAIN = FOLDER / "parts/main.js"
_HEAD = """\
// KnowledgeTree's widget. Written by `python -m tests.widget_file` from parts/ and client.js: change those.
// On a page: <script src="https://…/static/widget/widget.js" data-widget="…" defer></script>

(() => {
"use strict";
"""
_IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export ", re.M)


def in_order(path: Path, before: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """`path` after all that it imports, each file once."""
    for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
        before = in_order((path.parent / name).resolve(), before)
    return before if path in before else (*before, path)


def widget_script() -> str:
    parts = (_EXPORT.sub("", _IMPORT.sub("", path.read_text(encoding="utf-8"))).strip() for path in in_order(MAIN))
    return _HEAD + "\n" + "\n\n".join(parts) + "\n})();\n"


if __name__ == "__main__":
    TARGET.write_text(widget_script(), encoding="utf-8")
