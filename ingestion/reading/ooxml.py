"""The parts of an Office Open XML file (DOCX, XLSX, PPTX are ZIP archives of XML parts that point at each other)."""

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import IO, Any, Self

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument, DocumentTooLarge
from ingestion.reading.containers import check_office_archive

OFFICE_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"

MAX_TREE_BYTES = 100 * 1024 * 1024
"""A part that is held as a tree of elements takes ten times its size in memory."""

_SAFE = {"resolve_entities": False, "no_network": True, "huge_tree": False, "load_dtd": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """`kind` is the last word of the relation's type ("worksheet", "notesSlide"), `target` the part's path."""

    kind: str
    target: str


class Parts:
    """Reads parts by path ("xl/workbook.xml"). Raises Encrypted-, CorruptDocument, DocumentTooLarge."""

    def __init__(self, content: bytes) -> None:
        check_office_archive(content)
        self._archive = zipfile.ZipFile(BytesIO(content))
        # Some programs write "xl\\workbook.xml" or change the case of names.
        self._names = {name.replace("\\", "/").lower().lstrip("/"): name for name in self._archive.namelist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._archive.close()

    def __contains__(self, part: str) -> bool:
        return part.lower() in self._names

    def bytes_of(self, part: str) -> bytes:
        with self._open(part) as file:
            return file.read()

    def tree(self, part: str) -> Any:
        """The root element of a part."""
        if part in self and self._archive.getinfo(self._names[part.lower()]).file_size > MAX_TREE_BYTES:
            raise DocumentTooLarge(_("The file unpacks to an unreasonable size."))
        return parse_xml(self.bytes_of(part))

    def elements(self, part: str, *tags: str) -> Iterator[Any]:
        """Each element of the tags when it is complete; it is emptied afterwards, so that memory stays small."""
        from lxml import etree

        with self._open(part) as file:
            events = etree.iterparse(file, tag=tags, **_SAFE)
            for _event, element in events:
                refuse_doctype(element)
                yield element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
            refuse_doctype(events.root)

    def relations(self, part: str) -> dict[str, Relation]:
        """What `part` points at, by identifier; links to other files are left out."""
        folder, name = posixpath.split(part)
        listed = posixpath.join(folder, "_rels", f"{name}.rels")
        if listed not in self:
            return {}
        return {
            one.get("Id", ""): Relation(
                kind=one.get("Type", "").rpartition("/")[2], target=_resolved(folder, one.get("Target", ""))
            )
            for one in self.tree(listed).iter(_RELATION)
            if one.get("TargetMode") != "External"
        }

    def title(self) -> str:
        """The title in the properties of the document."""
        if "docProps/core.xml" not in self:
            return ""
        return " ".join((self.tree("docProps/core.xml").findtext(_DC_TITLE) or "").split())

    def _open(self, part: str) -> IO[bytes]:
        if part.lower() not in self._names:
            raise CorruptDocument(_("The file is damaged: its part %(part)s is missing.") % {"part": part})
        return self._archive.open(self._names[part.lower()])


def parse_xml(content: bytes) -> Any:
    """The root element; no entity is expanded, nothing is fetched, and a document type is refused."""
    from lxml import etree

    root = etree.fromstring(content, etree.XMLParser(remove_comments=True, remove_pis=True, **_SAFE))
    refuse_doctype(root)
    return root


def refuse_doctype(element: Any) -> None:
    """Office formats forbid document types; whoever writes one wants its entities to grow. Raises CorruptDocument."""
    if element.getroottree().docinfo.internalDTD is not None:
        raise CorruptDocument(_("The file declares XML entities, which no Office program writes."))


def _resolved(folder: str, target: str) -> str:
    return target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
