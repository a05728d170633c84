"""What a body is, by what the server says and by how it begins."""

import re
from email.message import Message

ENOUGH = 1024
"""Bytes that are looked at."""

_SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x89PNG\r\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"MZ", "application/x-msdownload"),
    (b"\x7fELF", "application/x-executable"),
    (b"{\\rtf", "application/rtf"),
)
_TEXT = re.compile(r"text/.*|application/(xhtml\+xml|xml|json|(.+\+)(xml|json)|javascript)")
_UNKNOWN = {"", "application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown"}
_HTML = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_ZIPPED = re.compile(r"application/(vnd\.openxmlformats|vnd\.oasis|epub|zip|java-archive|x-zip)")
_OLE = {"application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint", "application/vnd.ms-outlook"}
_UNICODE_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def declared(header: str) -> tuple[str, str]:
    """The media type and the charset of a Content-Type header, both lower case, "" where it has none."""
    if not header.strip():
        return "", ""
    message = Message()
    message["Content-Type"] = header.replace("\n", " ").replace("\r", " ")
    charset = message.get_param("charset", "")
    media_type = message.get_content_type() if "/" in header.partition(";")[0] else ""  # "html" would be text/plain
    return media_type, charset.strip("'\" ").lower() if isinstance(charset, str) else ""


def media_type_of(said: str, beginning: bytes) -> str:
    """The media type: `said`, unless the first bytes belie it. "" where neither tells."""
    found = _signature(beginning)
    if found in {"application/zip", "application/x-ole-storage"} and _is_packed_as(said, found):
        return said
    if found:
        return found
    if _HTML.match(beginning.removeprefix(_UNICODE_MARKS[0])):
        return said if said in {"application/xhtml+xml", "text/plain"} else "text/html"
    if is_text(said) or said in _UNKNOWN:
        return _unsigned(said, beginning)
    return said


def is_text(media_type: str) -> bool:
    return _TEXT.fullmatch(media_type) is not None


def _signature(beginning: bytes) -> str:
    return next((name for mark, name in _SIGNATURES if beginning.startswith(mark)), "")


def _is_packed_as(said: str, found: str) -> bool:
    return bool(_ZIPPED.match(said)) if found == "application/zip" else said in _OLE


def _unsigned(said: str, beginning: bytes) -> str:
    """Text says so and has no NUL bytes, unless it is UTF-16."""
    if b"\x00" in beginning and not beginning.startswith(_UNICODE_MARKS):
        return "application/octet-stream"
    if is_text(said):
        return said
    return "text/plain" if not said and beginning else said
