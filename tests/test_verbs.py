"""What writes into the database says so: the name of each such function begins with one of these verbs."""

import ast
import re
from collections.abc import Iterable, Iterator

import pytest

from tests.test_names import ROOT, modules

VERBS = set(
    "accept add advance allow announce archive attempt begin build call cancel change claim clear close conclude create"
    " decide delete drop end ensure enter erase extract fill finish forget give index insert join judge keep load log"
    " maintain mark mend note open patch pause post propose purge put queue record redirect refresh reindex release"
    " remember remove renew replace report restore resume retry rewrite roll save say send set settle start store swap"
    " switch take tell turn unpack update wait want write".split()
)
_ALWAYS = {
    "bulk_create", "bulk_update", "create_superuser", "create_user", "delete", "get_or_create", "log_actions",
    "update_or_create",
}  # fmt: skip
_OF_ROWS = {"all", "exclude", "filter", "objects"}
_STATEMENT = re.compile(
    r"\b(?:INSERT INTO|UPDATE \S+(?: \w+)?\s+SET|DELETE FROM|TRUNCATE|(?:CREATE|DROP) (?:UNIQUE )?(?:INDEX|TABLE))\b"
)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def misnamed(source: str) -> Iterator[str]:
    """The functions and methods that write by themselves and do not say so."""
    tree = ast.parse(source)
    statements = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and any(map(_is_statement, ast.walk(node.value)))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, Function) and node.name.strip("_").split("_")[0] not in VERBS:
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if any(_writes(part, statements) for statement in body for part in ast.walk(statement)):
                yield node.name


def _writes(node: ast.AST, statements: Iterable[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in statements
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return _is_statement(node)
    called = node.func.attr
    if called == "save":  # of a row: a picture or a file is saved at a place
        return not node.args
    if called in ("create", "update"):  # of rows: a dictionary is updated too
        named = {part.attr for part in ast.walk(node.func.value) if isinstance(part, ast.Attribute)}
        return bool(named & _OF_ROWS)
    return called in _ALWAYS


def _is_statement(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_STATEMENT.search(node.value))


def test_what_writes_begins_with_a_verb() -> None:
    found = {f"{path.relative_to(ROOT)}:{name}" for path in modules() for name in misnamed(path.read_text())}
    assert found == set()


@pytest.mark.parametrize(
    ("body", "writes"),
    [
        ("row.save()", True),
        ("row.save(update_fields=['title'])", True),
        ("Job.objects.filter(pk=1).update(done=1)", True),
        ("cursor.execute('DELETE FROM job')", True),
        ("cursor.execute(_NEW)", True),
        ("shown.update(title='')", False),
        ("picture.save(buffer)", False),
        ("cursor.execute('SELECT 1')", False),
        ("'''DELETE FROM is what others do.'''", False),
    ],
)
def test_a_writer_without_a_verb_is_seen(body: str, writes: bool) -> None:
    source = "_NEW = 'INSERT INTO job VALUES (1)'\n\ndef asked(row):\n    {0}\n\ndef ask(row):\n    {1}\n"
    assert list(misnamed(source.format(body, "pass"))) == (["asked"] if writes else [])
