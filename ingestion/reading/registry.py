"""The way in: which extractor reads which media type, and the checks that hold for all of them.

A new format is one file beside this one and one line in `EXTRACTORS`.
"""

from dataclasses import replace

from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.errors import DocumentTooLarge, EmptyDocument, EncryptedDocument, UnsupportedMediaType
from ingestion.reading import media_types
from ingestion.reading.formats.text import source_code
from ingestion.reading.protocol import Extractor
from ingestion.reading.second import second_text
from ingestion.types import ExtractedText, Progress, no_progress

EXTRACTORS = {
    "text/plain": "ingestion.reading.formats.text.plain.PlainTextExtractor",
    "text/csv": "ingestion.reading.formats.text.csv_table.CsvExtractor",
    "application/json": "ingestion.reading.formats.text.json_text.JsonExtractor",
    media_types.JSON_LINES: "ingestion.reading.formats.text.json_lines.JsonLinesExtractor",
    media_types.OPENAPI: "ingestion.reading.formats.text.openapi.OpenApiExtractor",
    "text/markdown": "ingestion.reading.formats.text.markdown.MarkdownExtractor",
    "text/html": "ingestion.reading.formats.html.html.HtmlExtractor",
    "application/pdf": "ingestion.reading.formats.pdf.pdf.PdfExtractor",
    "message/rfc822": "ingestion.reading.formats.mail.mail.MailExtractor",
    "application/vnd.ms-outlook": "ingestion.reading.formats.mail.outlook.OutlookExtractor",
    "application/rtf": "ingestion.reading.formats.rtf.rtf.RtfExtractor",
    media_types.LATEX: "ingestion.reading.formats.latex.latex.LatexExtractor",
    **dict.fromkeys(source_code.MEDIA_TYPES, "ingestion.reading.formats.text.source_code.SourceCodeExtractor"),
    **dict.fromkeys(media_types.PICTURES, "ingestion.reading.formats.image.images.ImageExtractor"),
    media_types.DOCX: "ingestion.reading.formats.docx.docx.DocxExtractor",
    media_types.XLSX: "ingestion.reading.formats.xlsx.xlsx.XlsxExtractor",
    media_types.PPTX: "ingestion.reading.formats.pptx.pptx.PptxExtractor",
    "application/msword": "ingestion.reading.formats.legacy.old_word.OldWordExtractor",
    "application/vnd.ms-excel": "ingestion.reading.formats.xlsx.xls.XlsExtractor",
    "application/vnd.ms-powerpoint": "ingestion.reading.formats.legacy.old_powerpoint.OldPowerPointExtractor",
    media_types.ODT: "ingestion.reading.formats.opendocument.opendocument.OpenDocumentExtractor",
    media_types.ODS: "ingestion.reading.formats.opendocument.opendocument.OpenDocumentExtractor",
    media_types.ODP: "ingestion.reading.formats.opendocument.opendocument.OpenDocumentExtractor",
}
_NOT_SUPPORTED = {
    "application/x-ole-storage": gettext_lazy(
        "The file is in an old format of Office whose kind its name does not tell."
    ),
    "application/zip": gettext_lazy(
        "Archives (ZIP) are not opened here: upload them in the admin, or let a source find them."
    ),
}
_built: dict[str, Extractor] = {}


def extractor_for(media_type: str) -> Extractor:
    """The extractor of `media_type`, one object a process; raises UnsupportedMediaType."""
    if media_type not in EXTRACTORS:
        raise UnsupportedMediaType(_not_supported(media_type))
    if media_type not in _built:  # two threads may build it twice; extractors hold no state, so either will do
        _built[media_type] = import_string(EXTRACTORS[media_type])()
    return _built[media_type]


def refusal_at_sight(head: bytes, *, name: str) -> str:
    """Why a file that begins with `head` (1 KB will do) cannot be read; "" where it can, or only the whole can tell."""
    media_type = media_types.detect_media_type(head, name=name) if head else "text/plain"
    telling = media_type in EXTRACTORS or media_type in _NOT_SUPPORTED or media_type == media_types.PROTECTED_OFFICE
    return "" if telling else _not_supported(media_type)


def extract(
    content: bytes,
    *,
    name: str,
    max_bytes: int,
    max_characters: int,
    second: str = "",
    progress: Progress = no_progress,
) -> tuple[str, ExtractedText]:
    """The media type of a file and its text, which is never blank.

    `name` is the file name; `max_bytes` limits the file, `max_characters` its text; `second` names another extractor
    that is to read it too (see `ingestion.reading.second`).
    Raises ExtractionError: DocumentTooLarge, EmptyDocument, EncryptedDocument, UnsupportedMediaType, or
    what the extractor finds wrong.
    """
    _check_size(content, max_bytes)
    media_type = media_types.detect_media_type(content, name=name)
    if media_type == media_types.PROTECTED_OFFICE:
        raise EncryptedDocument(_("The file is protected with a password."))
    extracted = extractor_for(media_type).extract(content, name=name, progress=progress)
    if not extracted.text.strip():
        raise EmptyDocument(_("The file contains no text."))
    if len(extracted.text) > max_characters:
        message = _("The text has %(count)s characters, the limit is %(limit)s.")
        raise DocumentTooLarge(message % {"count": len(extracted.text), "limit": max_characters})
    other, warning = second_text(
        content,
        extractor=second,
        media_type=media_type,
        name=name,
        max_characters=max_characters,
        progress=progress,
    )
    warnings = (*extracted.warnings, warning) if warning else extracted.warnings
    return media_type, replace(extracted, second=other, warnings=warnings)


def _check_size(content: bytes, max_bytes: int) -> None:
    if not content:
        raise EmptyDocument(_("The file is empty (0 bytes)."))
    if len(content) > max_bytes:
        message = _("The file has %(size).1f MB, the limit is %(limit).1f MB.")
        raise DocumentTooLarge(message % {"size": len(content) / 2**20, "limit": max_bytes / 2**20})


def _not_supported(media_type: str) -> str:
    if media_type in _NOT_SUPPORTED:
        return str(_NOT_SUPPORTED[media_type])
    if media_type.startswith("image/"):
        return _("Pictures (%(kind)s) are not supported yet.") % {"kind": media_type.removeprefix("image/").upper()}
    if media_type == media_types.BINARY:
        return _("Files of this kind are not supported.")
    return _("Files of the type %(type)s are not supported.") % {"type": media_type}
