"""OpenDocument (ODT, ODS, ODP): one XML vocabulary for texts, sheets and slides."""

from typing import Any

from django.utils.translation import gettext as _

from ingestion.errors import EmptyDocument, EncryptedDocument
from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.opendocument.sheets import read_sheets
from ingestion.reading.formats.opendocument.text import OFFICE, blocks_of
from ingestion.reading.formats.text.markdown import first_heading
from ingestion.reading.formats.xlsx.sheets import hidden_warning, sheets_markdown
from ingestion.reading.ooxml import Parts
from ingestion.reading.pages import joined_pages
from ingestion.types import ExtractedText, Progress

_MANIFEST = "META-INF/manifest.xml"
_PAGE = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}page"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"


class OpenDocumentExtractor:
    """Headings, lists, tables and footnotes; sheets with what their cells show; slides as pages.

    Left out: deleted text of tracked changes, comments, tables of contents, hidden sheets (named in a warning),
    pictures. Raises Encrypted-, Corrupt- or EmptyDocument, DocumentTooLarge.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("OpenDocument"), Parts(content) as parts:
            if _MANIFEST in parts and b"encryption-data" in parts.bytes_of(_MANIFEST):
                raise EncryptedDocument(_("The file is protected with a password."))
            body = parts.tree("content.xml").find(f"{OFFICE}body")
            if body is None or not len(body):
                raise EmptyDocument(_("The file contains no text."))
            extracted = _extracted(body[0], title=_title(parts))
        progress(1, 1)
        return extracted


def _extracted(body: Any, *, title: str) -> ExtractedText:
    kind = body.tag.rpartition("}")[2]
    if kind == "spreadsheet":
        sheets = read_sheets(body)
        text = require_text(sheets_markdown([sheet for sheet in sheets if not sheet.hidden]))
        return ExtractedText(text=text, extractor="opendocument", title=title, warnings=hidden_warning(sheets))
    if kind == "presentation":
        text, pages = joined_pages(["\n\n".join(blocks_of(page)) for page in body.iter(_PAGE)])
        return ExtractedText(text=text, extractor="opendocument", title=title, pages=pages)
    text = require_text(clean("\n\n".join(blocks_of(body))))
    return ExtractedText(text=text, extractor="opendocument", title=title or first_heading(text))


def _title(parts: Parts) -> str:
    if "meta.xml" not in parts:
        return ""
    return clean(" ".join((parts.tree("meta.xml").findtext(f".//{_DC_TITLE}") or "").split()))
