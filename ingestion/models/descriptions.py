"""What is said of a document: by its file and whoever brought it, and by an editor, whose word stays.

The one home of the rule. `Document.given` has what was last said of each field by a way that brings documents (upload,
API, command, source); `Document.edited` names what an editor set instead, keys of the metadata as "metadata.KEY".
Silence takes nothing away. Nothing here saves.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast

from django.db.models import Field

if TYPE_CHECKING:
    from ingestion.models.documents import Document

READ: Final = "extracted"
"""The key of the metadata under which stands what the file says of itself; each reading writes it, nobody else."""

READERS: Final = "readers"
"""Under this name `given` has whom the source lets read the document, and `edited` that an editor says it instead; the
rest of that is told by `ingestion.services.rights`.
"""

KEY: Final = "metadata."
_TOGETHER: Final = frozenset({"valid_from", "valid_to"})  # one of an editor's and one of a file's could cross


class DescribedFields(TypedDict, total=False):
    """What is said of a document; of a field that is missing, nothing. `title` "": its own text has the title."""

    title: str
    category: str
    tags: Sequence[str]
    language: str
    version: str
    valid_from: date | None
    valid_to: date | None
    metadata: Mapping[str, Any]


FIELDS: Final = tuple(DescribedFields.__annotations__)


def take_word(document: "Document", said: DescribedFields) -> set[str]:
    """Note what whoever brought the document says of it; the fields that are another than before. What an editor set
    stays. A title that stands in the text is taken when that is read; until then it has the one of before.
    """
    before = document.given
    document.given = before | {name: _in_json(said[name]) for name in FIELDS if name in said}  # type: ignore[literal-required]
    if said.get("title") == "":
        unsaid = {"title"} if before.get("title") and "title" not in document.edited else set()
        return unsaid | {name for name in said if name != "title" and _apply(document, name)}
    return {name for name in said if _apply(document, name)}


def note_editor(document: "Document", names: Iterable[str], *, metadata_before: Mapping[str, Any]) -> None:
    """The fields `names` have what an editor wants; of the metadata the keys that differ from `metadata_before`."""
    changed = set(names)
    if changed & _TOGETHER:
        changed |= _TOGETHER
    if "metadata" in changed:
        now, missing = document.metadata, object()
        keys = (now.keys() | metadata_before.keys()) - {READ}
        changed |= {KEY + key for key in keys if now.get(key, missing) != metadata_before.get(key, missing)}
    document.edited = sorted({*document.edited, *changed} - {"metadata"})


def take_back(document: "Document", name: str) -> set[str]:
    """Give what `note_editor` noted under `name` its own value again; the names of what was given back."""
    names = (_TOGETHER if name in _TOGETHER else {name}) & set(document.edited)
    document.edited = [other for other in document.edited if other not in names]
    for taken in names:
        _apply(document, taken)
    return set(names)


def own_value(document: "Document", name: str) -> Any:
    """What a field, or a key of the metadata, would have without an editor. Of a title that only reading tells "", of
    a key that is not there None.
    """
    if name.startswith(KEY):
        return document.given.get("metadata", {}).get(name.removeprefix(KEY))
    field = cast("Field[Any, Any]", document._meta.get_field(name))
    return field.to_python(document.given.get(name, field.get_default()))


def is_in_order(start: date | None, end: date | None) -> bool:
    """Whether a validity may be; an open end always may."""
    return start is None or end is None or start <= end


def _apply(document: "Document", name: str) -> bool:
    """Give the field its own value unless an editor set it; whether that is another."""
    if name in document.edited:
        return False
    value: Any = None
    if name.startswith("metadata"):
        name, value = "metadata", _merged_metadata(document)
    elif name == "title":
        value = own_value(document, name) or document.file_name
    else:
        value = own_value(document, name)
    changed: bool = getattr(document, name) != value
    setattr(document, name, value)
    return changed


def _merged_metadata(document: "Document") -> dict[str, Any]:
    """Beside what was read the document's own keys, but for those that an editor wrote or took out."""
    edited = {name.removeprefix(KEY) for name in document.edited if name.startswith(KEY)}
    own = {key: value for key, value in document.given.get("metadata", {}).items() if key not in edited | {READ}}
    return own | {key: value for key, value in document.metadata.items() if key in edited | {READ}}


def _in_json(value: Any) -> Any:
    """As a JSON field keeps it."""
    if isinstance(value, date):
        return value.isoformat()
    return dict(value) if isinstance(value, Mapping) else value if isinstance(value, str | None) else list(value)
