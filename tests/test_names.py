"""Names of the product: a class name means one thing, a module's name says what it holds."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("knowledgetree", "ingestion", "rag")
# What Django looks for by this name, once a file.
CONVENTIONAL = {"Command", "Migration"}

# A participle or "words" says nothing without the folder: of what, by whom, for what?
EMPTY = set(
    "asked cited corrected counted described expanded found given gone guarded judged kept known located made measured"
    " missing named owned packed pending prepared read said searched seen shared shipped shown stored taken typed words"
    " written".split()
)


def modules() -> Iterator[Path]:
    for package in PACKAGES:
        yield from (path for path in sorted((ROOT / package).rglob("*.py")) if "migrations" not in path.parts)


def test_a_class_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for path in modules():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name not in CONVENTIONAL:
                homes[node.name].append(str(path.relative_to(ROOT)))
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


def test_a_module_says_what_it_holds_without_its_folder() -> None:
    endings = tuple(f"_{word}" for word in ("asked", "found", "seen", "shown", "written"))
    assert [
        str(path.relative_to(ROOT))
        for path in modules()
        if (name := path.stem.strip("_")) in EMPTY or name.endswith(endings)
    ] == []


def test_a_docstring_does_not_lean_on_its_signature() -> None:
    """'Of each passage, in order' is no sentence: of what is it, and what is done with it?"""
    documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    assert [
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, documented) and not node.name.startswith("_")
        if (ast.get_docstring(node) or "").startswith(("Of ", "And ", "Or ", "But "))
    ] == []
