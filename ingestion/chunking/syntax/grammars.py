"""Source code as a syntax tree, by the grammars of tree-sitter."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Tree

GRAMMARS = {  # module and function; where there are two, the second is tried on what the first cannot read
    "python": [("tree_sitter_python", "language")],
    "javascript": [("tree_sitter_javascript", "language")],
    "typescript": [("tree_sitter_typescript", "language_typescript"), ("tree_sitter_typescript", "language_tsx")],
    "java": [("tree_sitter_java", "language")],
    "c": [("tree_sitter_c", "language"), ("tree_sitter_cpp", "language")],  # a header ".h" may be either
    "cpp": [("tree_sitter_cpp", "language")],
    "go": [("tree_sitter_go", "language")],
    "rust": [("tree_sitter_rust", "language")],
    "php": [("tree_sitter_php", "language_php")],
    "sql": [("tree_sitter_sql", "language")],
}


def parse(source: bytes, language: str) -> "Tree | None":
    """The tree of `source` (UTF-8), None for a language without a grammar.

    Nodes that could not be read are errors in the tree; there is always a tree.
    """
    trees = []
    for module, function in GRAMMARS.get(language, ()):
        trees.append(_parser(module, function).parse(source))
        if not trees[-1].root_node.has_error:
            return trees[-1]
    return trees[0] if trees else None


@cache
def _language(module: str, function: str) -> object:
    return getattr(import_module(module), function)()


def _parser(module: str, function: str) -> "Parser":
    from tree_sitter import Language, Parser

    return Parser(Language(_language(module, function)))  # a parser has state: one for each text
