"""What a file is, by its content first; the suffix only tells kinds of text apart."""

import re
from pathlib import PurePath

from ingestion.extraction.containers import OLE_MAGIC, ZIP_MAGIC, is_encrypted_office, zip_members
from ingestion.extraction.encoding import decode

BINARY = "application/octet-stream"
PROTECTED_OFFICE = "application/x-ooxml-protected"

_OPENXML = "application/vnd.openxmlformats-officedocument"
DOCX = f"{_OPENXML}.wordprocessingml.document"
XLSX = f"{_OPENXML}.spreadsheetml.sheet"
PPTX = f"{_OPENXML}.presentationml.presentation"
ODT = "application/vnd.oasis.opendocument.text"

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
_OLE_SUFFIXES = {
    ".doc": "application/msword",
    ".xls": "application/vnd.ms-excel",
    ".ppt": "application/vnd.ms-powerpoint",
    ".msg": "application/vnd.ms-outlook",
}
_TEXT_SUFFIXES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".json": "application/json",
    ".eml": "message/rfc822",
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
    if b"%PDF-" in content[:1024]:
        return "application/pdf"
    if content.startswith(ZIP_MAGIC):
        return _zip_kind(content)
    if content.startswith(OLE_MAGIC):
        return (
            PROTECTED_OFFICE if is_encrypted_office(content) else _OLE_SUFFIXES.get(suffix, "application/x-ole-storage")
        )
    for magic, media_type in _MAGIC:
        if content.startswith(magic):
            return media_type
    return _text_kind(content, suffix) if _is_text(content) else _other_binary(content)


def _zip_kind(content: bytes) -> str:
    members = zip_members(content)
    if not members:  # cut off: the directory stands at the end, but the names of members are in the clear
        return next((kind for folder, kind in _ZIP_KINDS if folder.encode() in content), "application/zip")
    if "mimetype" in members and b"opendocument.text" in content[:200]:
        return ODT
    return next((kind for folder, kind in _ZIP_KINDS if any(m.startswith(folder) for m in members)), "application/zip")


def _is_text(content: bytes) -> bool:
    if content.startswith(_UTF16_MARKS):
        return True
    sample = content[:65_536]
    return b"\0" not in content and len(_CONTROL.findall(sample)) * 100 <= len(sample)


def _text_kind(content: bytes, suffix: str) -> str:
    head = decode(content[:4096])
    if _HTML_DOCUMENT.match(head):
        return "text/html"
    if suffix in _TEXT_SUFFIXES:
        return _TEXT_SUFFIXES[suffix]
    return "text/html" if suffix in _HTML_SUFFIXES and _HTML_TAG.search(head) else "text/plain"


def _other_binary(content: bytes) -> str:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return "image/bmp" if content.startswith(b"BM") else BINARY
