"""What the cells of an XLSX file refer to: shared texts, number formats, and text boxes drawn over a sheet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ingestion.reading.encoding import clean
from ingestion.reading.formats.xlsx.number_formats import BUILT_IN
from ingestion.reading.ooxml import Parts, Relation
from ingestion.reading.typography import raised

WORKBOOK = "xl/workbook.xml"
S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
Z = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"  # files saved as "Strict Open XML"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_PHONETIC = (f"{S}rPh", f"{Z}rPh")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookups:
    """`strings` by number; `formats` by number of style; whether dates count from 1904."""

    strings: Sequence[str]
    formats: Sequence[str]
    from_1904: bool


def lookups_of(parts: Parts, workbook: Any, relations: Mapping[str, Relation]) -> Lookups:
    by_kind = {one.kind: one.target for one in relations.values()}
    properties = next(workbook.iter(f"{S}workbookPr", f"{Z}workbookPr"), None)
    return Lookups(
        strings=list(_strings(parts, by_kind.get("sharedStrings", ""))),
        formats=list(_formats(parts, by_kind.get("styles", ""))),
        from_1904=properties is not None and properties.get("date1904") in ("1", "true"),
    )


def drawn_texts(parts: Parts, sheet: str) -> Iterator[str]:
    """The paragraphs of the text boxes that lie on a sheet."""
    for relation in parts.relations(sheet).values():
        if relation.kind == "drawing" and relation.target in parts:
            for paragraph in parts.tree(relation.target).iter(f"{_A}p"):
                if text := "".join(one.text or "" for one in paragraph.iter(f"{_A}t")).strip():
                    yield text


def rich_text(item: Any) -> str:
    """The text of a cell or of a shared string, without the reading aids of Japanese."""
    texts = item.iter(f"{S}t", f"{Z}t")
    return clean("".join(_run_text(one) for one in texts if one.getparent().tag not in _PHONETIC))


def _strings(parts: Parts, part: str) -> Iterator[str]:
    if part not in parts:
        return
    for item in parts.elements(part, f"{S}si", f"{Z}si"):
        yield rich_text(item)


def _run_text(text: Any) -> str:
    run, words = text.getparent(), text.text or ""
    is_raised = run.tag in (f"{S}r", f"{Z}r") and any(
        one.get("val") == "superscript" for one in run.iter(f"{S}vertAlign", f"{Z}vertAlign")
    )
    return raised(words) if is_raised else words


def _formats(parts: Parts, part: str) -> Iterator[str]:
    """The number format of each style that a cell may have."""
    if part not in parts:
        return
    styles = parts.tree(part)
    own = {one.get("numFmtId"): one.get("formatCode", "") for one in styles.iter(f"{S}numFmt", f"{Z}numFmt")}
    for styled in styles.iter(f"{S}cellXfs", f"{Z}cellXfs"):
        for one in styled:
            number = one.get("numFmtId", "0")
            yield own.get(number) or BUILT_IN.get(int(number) if number.isdigit() else 0, "")
