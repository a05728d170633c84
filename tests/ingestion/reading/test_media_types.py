import pytest

from ingestion.reading.media_types import (
    BINARY,
    DOCX,
    ODS,
    ODT,
    PPTX,
    PROTECTED_OFFICE,
    XLSX,
    detect_media_type,
)
from tests.ingestion.reading.office_files import OLE, encrypted_office, zipped

CONTENT_TYPES = {"[Content_Types].xml": b"<Types/>"}


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        (b"%PDF-1.7\n", "a.pdf", "application/pdf"),
        (b"\r\n\r\n%PDF-1.4\n", "a", "application/pdf"),
        (zipped({**CONTENT_TYPES, "word/document.xml": b"<x/>"}), "a.docx", DOCX),
        (zipped({**CONTENT_TYPES, "xl/workbook.xml": b"<x/>"}), "a.xlsx", XLSX),
        (zipped({**CONTENT_TYPES, "ppt/presentation.xml": b"<x/>"}), "a.pptx", PPTX),
        (zipped({"mimetype": b"application/vnd.oasis.opendocument.text"}), "a.zip", ODT),
        (zipped({"notes.txt": b"x"}), "a.docx", "application/zip"),
        (OLE + b"\0" * 600, "a.doc", "application/msword"),
        (OLE + b"\0" * 600, "a.xls", "application/vnd.ms-excel"),
        (encrypted_office(), "a.docx", PROTECTED_OFFICE),
        (b"\x89PNG\r\n\x1a\n\0", "a.txt", "image/png"),
        (b"\xff\xd8\xff\xe0", "a.jpg", "image/jpeg"),
        (b"RIFF\0\0\0\0WEBP", "a", "image/webp"),
        (b"{\\rtf1 x}", "a.doc", "application/rtf"),
        (b"\x7fELF\0\0\0", "a.txt", BINARY),
        ("# Tytuł\n".encode(), "a.md", "text/markdown"),
        ("# Tytuł\n".encode(), "A.MARKDOWN", "text/markdown"),
        ("Zażółć".encode("cp1250"), "a.txt", "text/plain"),
        ("Zażółć".encode("utf-16"), "a.txt", "text/plain"),
        (b"a;b\n1;2\n", "a.csv", "text/csv"),
        (b'{"a": 1}', "a.json", "application/json"),
        (b"From: a@b\nSubject: x\n\nx", "a.eml", "message/rfc822"),
        (b"\\documentclass{article}", "a.tex", "application/x-tex"),
        (zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), "a.ods", ODS),
        (OLE + b"\0" * 600 + "Workbook".encode("utf-16-le"), "a.doc", "application/vnd.ms-excel"),
        (b"a\tb\n1\t2\n", "a.xls", "text/csv"),
        (b'{"a": 1}\n', "a.jsonl", "application/x-ndjson"),
        (b"MIME-Version: 1.0\n\nx", "a.mht", "message/rfc822"),
        (b"import os\n", "a.py", "text/x-python"),
        (b"<?xml version='1.0'?><a/>", "a.xml", "text/x-xml"),
        ("Zażółć gęślą".encode("utf-16-le"), "a.txt", "text/plain"),
        (b"# Head of a PDF\n\nIt begins with %PDF-1.7.\n", "a.md", "text/markdown"),
        (b"text without a suffix", "README", "text/plain"),
    ],
)
def test_the_type_follows_the_content(content: bytes, name: str, expected: str) -> None:
    assert detect_media_type(content, name=name) == expected


@pytest.mark.parametrize(
    "content",
    [
        b"<!DOCTYPE html><html></html>",
        b"\n <!-- x --> <HTML lang=pl>",
        b'<?xml version="1.0"?>\n<!doctype html><html/>',
    ],
)
def test_html_is_recognised_whatever_the_suffix(content: bytes) -> None:
    for name in ("a.html", "a.txt", "a.md", "a.pdf"):
        assert detect_media_type(content, name=name) == "text/html"


def test_a_suffix_does_not_make_text_html() -> None:
    assert detect_media_type("Zwykły tekst, 2 < 3.".encode(), name="a.html") == "text/plain"
    assert detect_media_type(b"<p>akapit</p>", name="a.html") == "text/html"


def test_markdown_that_begins_with_markup_stays_markdown() -> None:
    assert detect_media_type(b'<p align="center">logo</p>\n\n# Tytul\n', name="README.md") == "text/markdown"


def test_a_cut_off_docx_is_still_a_docx() -> None:
    whole = zipped({**CONTENT_TYPES, "word/document.xml": b"<x/>" * 100})
    assert detect_media_type(whole[: len(whole) // 2], name="a.docx") == DOCX
