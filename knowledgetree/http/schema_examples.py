"""An example for each operation of the API's description, made of its shapes: so none is forgotten, and all fit."""

from typing import Any, Final

from knowledgetree.http.example_values import SENT, VALUES

_PATCHED: Final = "Patched"
_PLAIN: Final = {"string": "tekst", "integer": 1, "number": 0.5, "boolean": True, "object": {}, "array": []}
_FORMATS: Final = {
    "date-time": "2026-03-12T09:30:00+01:00",
    "date": "2026-03-12",
    "uuid": "0b9f2a52-6f0c-4d8e-9a51-3f1f6f1f7a10",
    "binary": "",
}
_KINDS: Final = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
}
_DEEPEST: Final = 12

Schema = dict[str, Any]


def add_examples(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """A hook of drf-spectacular: what a view says itself stays."""
    shapes = result.get("components", {}).get("schemas", {})
    for operation in (one for path in result["paths"].values() for one in path.values()):
        _add(operation.get("requestBody", {}), _Examples(shapes, sent=True))
        for status, response in operation["responses"].items():
            if status.startswith("2"):
                _add(response, _Examples(shapes, sent=False))
    return result


def _add(message: Schema, examples: "_Examples") -> None:
    for media_type, content in message.get("content", {}).items():
        if "json" in media_type and content.get("schema") and not {"example", "examples"} & content.keys():
            content["example"] = examples.of(content["schema"])


def _fits(value: Any, schema: Schema) -> bool:
    """Whether a member of this name can have the value: many a name stands for several things."""
    if value is None:
        return bool(schema.get("nullable"))
    if "$ref" in schema or "$ref" in schema.get("items", {}) or "allOf" in schema:
        return False
    kind, wanted = type(value), schema.get("type")
    if "enum" in schema:
        return value in schema["enum"]
    return (wanted is None and "oneOf" not in schema) or kind in _KINDS.get(wanted or "", ())


class _Examples:
    def __init__(self, shapes: dict[str, Schema], *, sent: bool) -> None:
        """`sent`: what is only read is left out, and so is what may be left out, unless SENT has it."""
        self._shapes, self._sent = shapes, sent

    def of(self, schema: Schema, name: str = "", depth: int = 0) -> Any:
        """The value of the member `name`, as "Component.member", else by its own name, else by its shape."""
        if name in VALUES:
            return VALUES[name]
        if (member := name.partition(".")[2]) in VALUES and _fits(VALUES[member], schema):
            return VALUES[member]
        if depth > _DEEPEST:
            return None
        if reference := schema.get("$ref"):
            component = reference.rpartition("/")[2]
            return self._of_component(component, depth)
        for joined in ("allOf", "oneOf", "anyOf"):
            if joined in schema:
                return self.of(schema[joined][0], name, depth + 1)
        if "enum" in schema:
            return next((value for value in schema["enum"] if value), None)
        if schema.get("type") == "array":
            return [self.of(schema["items"], "", depth + 1)]
        return _FORMATS.get(schema.get("format", "")) or _PLAIN.get(schema.get("type", ""))

    def _of_component(self, component: str, depth: int) -> Any:
        schema = self._shapes[component]
        if "properties" not in schema:
            return self.of(schema, component, depth + 1)
        names = self._members(component.removeprefix(_PATCHED), schema)
        shapes = schema["properties"]
        return {name: self.of(shapes[name], f"{component.removeprefix(_PATCHED)}.{name}", depth + 1) for name in names}

    def _members(self, component: str, schema: Schema) -> list[str]:
        shapes = schema["properties"]
        if not self._sent:
            return [name for name in shapes if not shapes[name].get("writeOnly")]
        writable = [name for name in shapes if not shapes[name].get("readOnly")]
        wanted = SENT.get(component) or schema.get("required") or writable
        return [name for name in writable if name in wanted]
