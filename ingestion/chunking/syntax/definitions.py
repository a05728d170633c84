"""Which nodes of a syntax tree define something that has a name: a function, a class, a table."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFINITIONS = frozenset(
    # Python, C, C++, PHP; JavaScript, TypeScript, Java, Go
    "function_definition class_definition function_declaration generator_function_declaration class_declaration "
    "abstract_class_declaration method_definition method_declaration constructor_declaration interface_declaration "
    "enum_declaration record_declaration annotation_type_declaration trait_declaration type_alias_declaration "
    "internal_module type_declaration "
    # Rust
    "function_item impl_item struct_item enum_item union_item trait_item mod_item macro_definition "
    # SQL
    "create_table create_view create_materialized_view create_function create_procedure create_trigger create_index "
    "create_type create_schema".split()
)
_WITH_BODY = frozenset(
    ["struct_specifier", "class_specifier", "union_specifier", "enum_specifier", "namespace_definition"]
)
_WRAPPERS = frozenset(
    ["decorated_definition", "export_statement", "template_declaration", "statement", "type_definition"]
)
_FUNCTIONS = frozenset(["arrow_function", "function_expression", "class"])
_NAMES = frozenset(["object_reference", "identifier", "type_identifier"])
_LONGEST_NAME = 120
_MOST_WRAPPERS = 8


def defined_name(node: "Node") -> str:
    """The name that `node` gives to a function, class or other definition; "" where it gives none."""
    inner = unwrapped(node)
    if name := _own_name(inner):
        return name
    declarator = node.child_by_field_name("declarator") if node.type == "type_definition" else None
    return _text(declarator) if declarator else ""


def unwrapped(node: "Node") -> "Node":
    """The definition inside decorators, `export` or `template`, else the node itself."""
    inner = node
    for _ in range(_MOST_WRAPPERS):
        if inner.type not in _WRAPPERS:
            return inner
        inner = next((one for one in inner.named_children if one.type in _WRAPPERS or _own_name(one)), None) or node
    return node


def is_comment(node: "Node") -> bool:
    """Whether `node` says something of the node after it."""
    return "comment" in node.type or node.type in ("attribute_item", "decorator", "annotation")


def _own_name(node: "Node") -> str:
    if node.type in ("lexical_declaration", "variable_declaration"):
        return _assigned_function(node)
    if node.type in _DEFINITIONS or (node.type in _WITH_BODY and node.child_by_field_name("body")):
        return next((name for one in _named(node) if (name := _text(one))), "")
    return ""


def _named(node: "Node") -> Iterator["Node"]:
    """The node of the name: a field, what a C declarator declares, or the first name inside."""
    for field in ("name", "type") if node.type == "impl_item" else ("name",):
        if found := node.child_by_field_name(field):
            yield found
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and (inner := declarator.child_by_field_name("declarator")) is not None:
        declarator = inner
    if declarator is not None:
        yield declarator
    for child in node.named_children:
        if found := child.child_by_field_name("name"):
            yield found
        if child.type in _NAMES:
            yield child


def _assigned_function(node: "Node") -> str:
    for declarator in node.named_children:
        value = declarator.child_by_field_name("value")
        name = declarator.child_by_field_name("name")
        if value is not None and name is not None and value.type in _FUNCTIONS:
            return _text(name)
    return ""


def _text(node: "Node") -> str:
    return re.sub(r"\s+", " ", (node.text or b"").decode(errors="replace"))[:_LONGEST_NAME].strip()
