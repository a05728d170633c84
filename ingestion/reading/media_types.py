"""What a file is, by its content first; the suffix only tells kinds of text apart."""

import re
from pathlib import PurePath

from ingestion.reading.containers import OLE_MAGIC, ZIP_MAGIC, is_encrypted_office, zip_members
from ingestion.reading.encoding import decode
from ingestion.reading.formats.text.openapi import describes_interface
from ingestion.reading.formats.text.source_code import code_language
from knowledgetree.charsets import utf16_order

BINARY = "application/octet-stream"
PROTECTED_OFFICE = "application/x-ooxml-protected"

_OPENXML = "application/vnd.openxmlformats-officedocument"
DOCX = f"{_OPENXML}.wordprocessingml.document"
XLSX = f"{_OPENXML}.spreadsheetml.sheet"
PPTX = f"{_OPENXML}.presentationml.presentation"
_OPENDOCUMENT = "application/vnd.oasis.opendocument"
ODT = f"{_OPENDOCUMENT}.text"
ODS = f"{_OPENDOCUMENT}.spreadsheet"
ODP = f"{_OPENDOCUMENT}.presentation"

PICTURES = ("image/png", "image/jpeg", "image/tiff", "image/webp", "image/gif", "image/bmp")

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"{\\rtf", "application/rtf"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\x1f\x8b", "application/gzip"),
)
_ZIP_KINDS = (("word/", DOCX), ("xl/", XLSX), ("ppt/", PPTX))
_OLE_STREAMS = (
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
    ("WordDocument", "application/msword"),
    ("Workbook", "application/vnd.ms-excel"),
    ("__properties_version1.0", "application/vnd.ms-outlook"),
)
_OLE_SUFFIXES = {
    ".doc": "application/msword",
    ".xls": "application/vnd.ms-excel",
    ".ppt": "application/vnd.ms-powerpoint",
    ".msg": "application/vnd.ms-outlook",
}
JSON_LINES = "application/x-ndjson"
LATEX = "application/x-tex"
OPENAPI = "application/vnd.oai.openapi"
_TEXT_SUFFIXES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/csv",
    ".xls": "text/csv",  # many programs export text under the name of a workbook
    ".json": "application/json",
    ".jsonl": JSON_LINES,
    ".ndjson": JSON_LINES,
    ".eml": "message/rfc822",
    ".mht": "message/rfc822",
    ".mhtml": "message/rfc822",
    ".tex": LATEX,
    ".ltx": LATEX,
}
_HTML_SUFFIXES = {".html", ".htm", ".xhtml"}
_HTML_DOCUMENT = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_HTML_TAG = re.compile(r"</?(?:p|div|h[1-6]|table|ul|ol|li|a|span|br|section|article|main|title|meta)\b[^>]*>", re.I)
_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def detect_media_type(content: bytes, *, name: str) -> str:
    """The media type of `content`, "application/octet-stream" where it is nothing known.

    `name` distinguishes formats that look alike inside: kinds of text, and the old Office formats.
    """
    suffix = PurePath(name).suffix.lower()
    if content.lstrip()[:5] == b"%PDF-" or (b"%PDF-" in content[:1024] and not _is_text(content)):
        return "application/pdf"
    if content.startswith(ZIP_MAGIC):
        return _zip_kind(content)
    if content.startswith(OLE_MAGIC):
        return PROTECTED_OFFICE if is_encrypted_office(content) else _ole_kind(content, suffix)
    for magic, media_type in _MAGIC:
        if content.startswith(magic):
            return media_type
    return _text_kind(content, name) if _is_text(content) else _other_binary(content)


def _zip_kind(content: bytes) -> str:
    members = zip_members(content)
    if not members:  # cut off: the directory stands at the end, but the names of members are in the clear
        return next((kind for folder, kind in _ZIP_KINDS if folder.encode() in content), "application/zip")
    if "mimetype" in members:
        declared = next((kind for kind in (ODT, ODS, ODP) if kind.encode() in content[:200]), "")
        if declared:
            return declared
    return next((kind for folder, kind in _ZIP_KINDS if any(m.startswith(folder) for m in members)), "application/zip")


def _ole_kind(content: bytes, suffix: str) -> str:
    """By the names of streams; the suffix decides where several kinds lie in each other, or no name is known."""
    kinds = [kind for stream, kind in _OLE_STREAMS if stream.encode("utf-16-le") in content]
    named = _OLE_SUFFIXES.get(suffix, "")
    return named if named and (named in kinds or not kinds) else (kinds or ["application/x-ole-storage"])[0]


def _is_text(content: bytes) -> bool:
    if content.startswith(_UTF16_MARKS) or utf16_order(content):
        return True
    sample = content[:65_536]
    return b"\0" not in content and len(_CONTROL.findall(sample)) * 100 <= len(sample)


def _text_kind(content: bytes, name: str) -> str:
    suffix = PurePath(name).suffix.lower()
    head = decode(content[:4096])
    language = code_language(name)
    if _HTML_DOCUMENT.match(head) and language not in ("php", "vue"):
        return "text/html"
    if suffix in (".json", ".yaml", ".yml") and describes_interface(head):
        return OPENAPI
    if suffix in _TEXT_SUFFIXES:
        return _TEXT_SUFFIXES[suffix]
    if language:
        return f"text/x-{language}"
    return "text/html" if suffix in _HTML_SUFFIXES and _HTML_TAG.search(head) else "text/plain"


def _other_binary(content: bytes) -> str:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return "image/bmp" if content.startswith(b"BM") else BINARY
