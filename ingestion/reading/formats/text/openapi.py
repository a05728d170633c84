"""Descriptions of interfaces (OpenAPI 3, Swagger 2; JSON or YAML) as a text with a section for each operation.

The source of the keywords is the OpenAPI specification 3.1, https://spec.openapis.org/oas/v3.1.0.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from ingestion.reading.encoding import clean, decode
from ingestion.reading.failures import require_text
from ingestion.reading.formats.text.json_text import JsonExtractor
from ingestion.reading.formats.text.markdown import without_padding
from ingestion.reading.formats.text.plain_yaml import mapping_in
from ingestion.reading.formats.text.source_code import SourceCodeExtractor
from ingestion.types import ExtractedText, Progress

_BEGINNING = re.compile(
    r"""\A\s*\{[^{}]*"(?:openapi|swagger)"\s*:\s*"[23]\.|^["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.""", re.M
)
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_LIMITS = (
    "default", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "minLength", "maxLength", "minItems",
    "maxItems", "const", "pattern",
)  # fmt: skip
_PHRASES = frozenset(["", *(status.phrase.lower() for status in HTTPStatus)])
_LONGEST_LIMIT = 80  # characters: a pattern that is longer says nothing to people
_DEEPEST = 5  # levels of fields within fields
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]++(.{1,300})$", re.M)  # a longer line makes none
_BLANK = re.compile(r"\n{3,}")
_BREAK = re.compile(r"<br\s*/?>", re.I)
_TAG = re.compile(r"</?(?:a|b|code|div|em|font|h[1-6]|i|li|ol|p|small|span|strong|u|ul)(?:\s[^<>]{0,300})?>", re.I)


def describes_interface(head: str) -> bool:
    """Whether a file that begins with `head` says that it is such a description."""
    return bool(_BEGINNING.search(head))


class OpenApiExtractor:
    """Tags are sections; an operation is one with its address, what it says, its parameters and answers; a schema is
    one with its fields. Examples are left out: their values say nothing of the interface and look like what does.

    A file that cannot be parsed stays the JSON or YAML that it is.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        source = require_text(decode(content))
        try:
            described = json.loads(source) if source.lstrip().startswith("{") else mapping_in(source)
        except (ValueError, RecursionError):
            described = None
        if not (isinstance(described, dict) and _mapping(described.get("paths"))):
            other = JsonExtractor() if source.lstrip().startswith("{") else SourceCodeExtractor()
            return other.extract(content, name=name, progress=progress)
        text = require_text(clean(without_padding(_text_of(_Description(described).blocks()))))
        progress(1, 1)
        title = _line(_mapping(described.get("info")).get("title"))
        return ExtractedText(text=text, extractor="openapi", title=title)


def _text_of(blocks: Iterator[str]) -> str:
    """Blocks with an empty line between them, items of one line without."""
    text, item = list[str](), False
    for block in blocks:
        is_item = block.startswith("- ") and "\n" not in block
        text += ["\n" if item and is_item else "\n\n", block]
        item = is_item
    return "".join(text)


class _Description:
    def __init__(self, described: Mapping[str, Any]) -> None:
        self._described = described

    def blocks(self) -> Iterator[str]:
        """Paragraphs, lists and tables of Markdown."""
        info = _mapping(self._described.get("info"))
        yield f"# {_line(info.get('title')) or 'API'}"
        yield from _said(info)
        yield from self._servers()
        operations = list(self._operations())
        about = {_line(_mapping(tag).get("name")): _mapping(tag) for tag in _list(self._described.get("tags"))}
        for tag in dict.fromkeys(["", *about, *(tag for tag, *_ in operations)]):
            if tag:
                yield f"## {tag}"
                yield from _said(about.get(tag, {}))
            for _, address, operation, parameters in (one for one in operations if one[0] == tag):
                yield from self._operation(address, operation, parameters)
        schemas = _mapping(
            _mapping(self._described.get("components")).get("schemas") or self._described.get("definitions")
        )
        if schemas:
            yield "## Schemas"
        for name, schema in schemas.items():
            yield f"### {_line(name)}"
            yield from _said(_mapping(schema))
            yield from self._schema(_mapping(schema))

    def _servers(self) -> Iterator[str]:
        servers = [_mapping(server) for server in _list(self._described.get("servers"))]
        if host := _line(self._described.get("host")):
            schemes = [_line(scheme) for scheme in _list(self._described.get("schemes"))] or ["https"]
            servers += [{"url": f"{scheme}://{host}{_line(self._described.get('basePath'))}"} for scheme in schemes]
        lines = [_joined(f"`{_line(one.get('url'))}`", _line(one.get("description"))) for one in servers]
        if lines:
            yield "\n".join(f"- {line}" for line in lines)

    def _operations(self) -> Iterator[tuple[str, str, Mapping[str, Any], Sequence[Any]]]:
        """Each with its first tag, its address, and its parameters with those of its path."""
        for path, item in _mapping(self._described.get("paths")).items():
            for method in _METHODS:
                if operation := _mapping(_mapping(item).get(method)):
                    tag = _line(next(iter(_list(operation.get("tags"))), ""))
                    parameters = [*_list(_mapping(item).get("parameters")), *_list(operation.get("parameters"))]
                    yield tag, f"{method.upper()} {path}", operation, parameters

    def _operation(self, address: str, operation: Mapping[str, Any], parameters: Sequence[Any]) -> Iterator[str]:
        yield f"### {_line(operation.get('summary')) or address}"
        yield f"`{address}`{' (deprecated)' if _is_true(operation.get('deprecated')) else ''}"
        yield from _said(operation)
        for parameter in map(self._resolved, parameters):
            own = _mapping(parameter.get("schema")) or parameter
            kinds = [_line(parameter.get("in")), *_kinds(own), *_flags(parameter)]
            yield from _item(_line(parameter.get("name")), kinds, {**own, **parameter})
        body = self._resolved(operation.get("requestBody"))
        yield from _item("requestBody", [*_media(body), *_flags(body)], body)
        answers = {_line(code): self._resolved(said) for code, said in _mapping(operation.get("responses")).items()}
        for code, said in answers.items():
            if not _says_its_code(said):
                yield from _item(code, [_line(said.get("x-summary")), *_media(said)], said)
        if bare := [", ".join([code, *_media(said)]) for code, said in answers.items() if _says_its_code(said)]:
            yield "- " + "; ".join(bare)

    def _schema(self, schema: Mapping[str, Any], above: str = "", depth: int = 0) -> Iterator[str]:
        """The fields, those within others by their path ("sender.name")."""
        if not depth and (kinds := _kinds(schema)) != ["object"]:
            yield ", ".join(kinds)
        required = {_line(name) for name in _list(schema.get("required"))}
        for name, inner in _mapping(schema.get("properties")).items():
            field, path = _mapping(inner), f"{above}{_line(name)}"
            kinds = [*_kinds(field), *(["required"] if name in required else []), *_flags(field)]
            yield from _item(path, kinds, field)
            inside = _mapping(field.get("items")) or field
            if depth < _DEEPEST and _mapping(inside.get("properties")):
                yield from self._schema(inside, f"{path}.", depth + 1)
        for part in map(_mapping, _list(schema.get("allOf"))):
            if depth < _DEEPEST and "$ref" not in part:
                yield from self._schema(part, above, depth + 1)

    def _resolved(self, value: Any) -> Mapping[str, Any]:
        """What a reference within the file points to; anything else as it is."""
        reference = _mapping(value).get("$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            return _mapping(value)
        found: Any = self._described
        for step in reference[2:].split("/"):
            found = _mapping(found).get(step.replace("~1", "/").replace("~0", "~"))
        return _mapping(found)


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    """What a value may be: its type, the values it is chosen from, its limits."""
    named = [_type_of(schema)]
    if values := [str(value) for value in _list(schema.get("enum")) if value is not None]:
        named.append("one of " + ", ".join(values))
    limits = ((limit, _line(schema.get(limit))) for limit in _LIMITS)
    named += [f"{limit} {value}" for limit, value in limits if 0 < len(value) <= _LONGEST_LIMIT]
    return [kind for kind in named if kind]


def _type_of(schema: Mapping[str, Any], depth: int = 0) -> str:
    """ "string (date-time)", "array of InvoiceMetadata", the names of schemas that are referred to."""
    if reference := _line(schema.get("$ref")):
        return reference.rpartition("/")[2]
    if depth > _DEEPEST:
        return ""
    for key, conjunction in (("allOf", " and "), ("oneOf", " or "), ("anyOf", " or ")):
        if parts := [_type_of(_mapping(part), depth + 1) for part in _list(schema.get(key))]:
            return conjunction.join(filter(None, parts))
    kind = " or ".join(map(_line, _list(schema.get("type")))) or _line(schema.get("type"))
    if kind == "array":
        return f"array of {_type_of(_mapping(schema.get('items')), depth + 1) or 'values'}"
    return f"{kind} ({form})" if kind and (form := _line(schema.get("format"))) else kind


def _media(said: Mapping[str, Any]) -> list[str]:
    """The schemas of a body, each once."""
    contents = map(_mapping, _mapping(said.get("content")).values())
    schemas = [*(content.get("schema") for content in contents), said.get("schema")]
    return list(dict.fromkeys(filter(None, (_type_of(_mapping(schema)) for schema in schemas))))


def _flags(said: Mapping[str, Any]) -> list[str]:
    return [flag for flag in ("required", "deprecated") if _is_true(said.get(flag))]


def _item(name: str, kinds: Sequence[str], said: Mapping[str, Any]) -> Iterator[str]:
    """An item of a list, and behind it the tables and lists that its description has; nothing where it says nothing."""
    named, text = ", ".join(filter(None, kinds)), _prose(said.get("description"))
    if not named and not text:
        return
    first, _, rest = ("", "", text) if text.startswith("|") else text.partition("\n")
    yield f"- **{name}**" + (f" ({named})" if named else "") + (f": {first}" if first else "")
    if rest := rest.strip("\n"):
        yield rest


def _said(one: Mapping[str, Any]) -> Iterator[str]:
    if text := _prose(one.get("description")):
        yield text


def _prose(value: Any) -> str:
    """A description without tags, its headings in bold: the sections of the text are those of the interface."""
    if not isinstance(value, str):
        return ""
    text = _TAG.sub("", _BREAK.sub("\n", value.replace("\r\n", "\n")))
    text = _BLANK.sub("\n\n", "\n".join(line.rstrip() for line in text.strip().split("\n")))
    return _HEADING.sub(lambda heading: f"**{heading[1].rstrip(' #')}**", text)


def _says_its_code(answer: Mapping[str, Any]) -> bool:
    """Whether its description is nothing but the words that HTTP has for its code ("Not Found")."""
    return _line(answer.get("description")).rstrip(".").lower() in _PHRASES


def _joined(*parts: str) -> str:
    return " – ".join(filter(None, parts))


def _line(value: Any) -> str:
    """A scalar in one line, as JSON has it; "" for anything else."""
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""


def _is_true(value: Any) -> bool:
    return value is True or value == "true"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
