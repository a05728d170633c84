"""Files that want to harm who reads them, built small: what they would grow to is what hurts."""

import base64
import json
import zlib
from collections.abc import Callable

from tests.ingestion.reading.office_files import OLE, docx, zipped
from tests.ingestion.reading.pdf_files import paragraph, pdf
from tests.ingestion.reading.sandbox.hostile_office import (
    BILLION_LAUGHS,
    ELSEWHERE,
    LOCAL_FILE,
    MEGABYTE,
    escaping_names,
    lying_zip,
    nested_zips,
    office_with_entities,
    overlapping_zip,
    word_xml,
    zip_bomb,
)
from tests.ingestion.reading.sandbox.hostile_pages import pdf_objects, pdf_stream, pdf_with_pages, png


def eml(body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return b"From: a@example.pl\r\nTo: b@example.pl\r\nSubject: x\r\nContent-Type: %s\r\n\r\n%s" % (kind, body)


def nested_mail(depth: int) -> bytes:
    message = eml(b"w srodku")
    for _ in range(depth):
        message = eml(message, b"message/rfc822")
    return message


def nested_parts(depth: int) -> bytes:
    opening = b"".join(
        b'--b%d\r\nContent-Type: multipart/mixed; boundary="b%d"\r\n\r\n' % (n, n + 1) for n in range(depth)
    )
    return eml(opening, b'multipart/mixed; boundary="b0"')


TEXT = pdf([paragraph(["Urlop wypoczynkowy trwa 26 dni i jest platny."])])
WORD = docx(lambda document: document.add_paragraph("Urlop trwa 26 dni."))
PAGE = b"<!doctype html><html><body><h1>Urlop</h1>%s</body></html>"

FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "zip bomb, DOCX": ("a.docx", lambda: zip_bomb("word/document.xml", 600)),
    "zip bomb, XLSX": ("a.xlsx", lambda: zip_bomb("xl/workbook.xml", 200)),
    "zip bomb, PPTX": ("a.pptx", lambda: zip_bomb("ppt/presentation.xml", 200)),
    "zip that lies about its size": ("a.docx", lambda: lying_zip("word/document.xml")),
    "zip with overlapping members": ("a.docx", overlapping_zip),
    "zips in zips": ("a.docx", lambda: nested_zips(5)),
    "zip with 30,000 members": ("a.docx", lambda: zipped({f"word/{n}": b"" for n in range(30_000)})),
    "names that climb out of the archive": ("a.docx", escaping_names),
    "entities that grow, DOCX": ("a.docx", lambda: word_xml(b"<w:p>&a11;</w:p>", BILLION_LAUGHS)),
    "entities that grow, XLSX": ("a.xlsx", lambda: office_with_entities("xl/workbook.xml", BILLION_LAUGHS)),
    "entities that grow, PPTX": ("a.pptx", lambda: office_with_entities("ppt/presentation.xml", BILLION_LAUGHS)),
    "entities that grow, SVG": (
        "a.svg",
        lambda: BILLION_LAUGHS + b"<svg xmlns='http://www.w3.org/2000/svg'>&a11;</svg>",
    ),
    "entities that grow, HTML": ("a.html", lambda: BILLION_LAUGHS + PAGE % b"<p>&a11;</p>"),
    "entity of a local file": ("a.docx", lambda: word_xml(b"<w:p>&a11;</w:p>", LOCAL_FILE)),
    "entity from elsewhere": ("a.docx", lambda: word_xml(b"<w:p>&a11;</w:p>", ELSEWHERE)),
    "deep XML": ("a.docx", lambda: word_xml(b"<w:p>" * 200_000)),
    "deep tables, DOCX": ("a.docx", lambda: word_xml(b"<w:tbl><w:tr><w:tc>" * 3000 + b"</w:tc></w:tr></w:tbl>" * 3000)),
    "picture of 10 billion pixels": ("a.png", lambda: png(100_000, 100_000, b"\0" * MEGABYTE)),
    "picture that unpacks to 300 MB": ("a.png", lambda: png(10_000, 10_000, b"\0" * 300 * MEGABYTE)),
    "PDF whose pages are their own parent": (
        "a.pdf",
        lambda: pdf_objects(b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>"),
    ),
    "PDF that claims 2 billion pages": ("a.pdf", lambda: TEXT.replace(b"/Count 1", b"/Count 2147483647")),
    "PDF with 100,000 pages": ("a.pdf", lambda: pdf_with_pages(100_000)),
    "PDF of deep arrays": ("a.pdf", lambda: pdf_objects(b"<< /Type /Catalog /Pages " + b"[" * 300_000 + b" >>")),
    "PDF stream that unpacks to 300 MB": ("a.pdf", lambda: pdf_stream(zlib.compress(b" " * 300 * MEGABYTE))),
    "PDF stream packed twice": (
        "a.pdf",
        lambda: pdf_stream(zlib.compress(zlib.compress(b" " * 300 * MEGABYTE, 9), 9), b"[/FlateDecode /FlateDecode]"),
    ),
    "PDF of a million letters on one page": (
        "a.pdf",
        lambda: pdf_stream(zlib.compress(b"BT /F1 9 Tf " + b"1 0 0 1 9 9 Tm (aaaaaaaaaa) Tj " * 30_000 + b"ET")),
    ),
    "PDF with an endless chain of cross-references": (
        "a.pdf",
        lambda: TEXT.replace(b"trailer <<", b"trailer << /Prev 9 "),
    ),
    "PDF with an action": (
        "a.pdf",
        lambda: TEXT.replace(b"/Type /Catalog", b"/Type /Catalog /OpenAction << /S /Launch /F (/bin/sh) >>"),
    ),
    "deep JSON": ("a.json", lambda: b"[" * 200_000 + b"]" * 200_000),
    "JSON with a huge number": ("a.json", lambda: b'{"a": 1' + b"0" * 500_000 + b"}"),
    "deep HTML": ("a.html", lambda: PAGE % (b"<div>" * 50_000 + b"Urlop")),
    "deep lists, HTML": ("a.html", lambda: PAGE % (b"<ul><li>" * 5000 + b"Urlop")),
    "HTML with a million attributes": ("a.html", lambda: PAGE % (b"<p " + b"a=1 " * 300_000 + b">Urlop</p>")),
    "HTML table that spans a billion cells": (
        "a.html",
        lambda: PAGE % b"<table><tr><td colspan=1000000000 rowspan=1000000000>Urlop</td><td>x</td></tr></table>",
    ),
    "CSV of formulas": (
        "a.csv",
        lambda: b"nazwa;kwota\n=HYPERLINK(\"http://evil\");=cmd|' /C calc'!A0\n@SUM(1);+1\n" * 20,
    ),
    "CSV with an open quote": ("a.csv", lambda: b'a;b\n"' + b"x;y\n" * 40_000),
    "CSV of 100,000 columns": ("a.csv", lambda: b";".join(b"k%d" % n for n in range(100_000)) + b"\n1;2\n"),
    "mail in mail in mail": ("a.eml", lambda: nested_mail(500)),
    "mail of parts in parts": ("a.eml", lambda: nested_parts(2000)),
    "mail with a zip bomb": (
        "a.eml",
        lambda: eml(
            b'--x\r\nContent-Type: application/zip\r\nContent-Disposition: attachment; filename="../../a.zip"\r\n'
            b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(zip_bomb("word/x", 50)) + b"--x--",
            b'multipart/mixed; boundary="x"',
        ),
    ),
    "one line of a million letters": ("a.txt", lambda: b"a" * 1_000_000),
    "a million spaces": ("a.md", lambda: b"# a" + b" " * 1_000_000 + b"b\n"),
    "a hundred thousand opening brackets": ("a.md", lambda: b"[" * 100_000 + b"\n" + b"![](" * 50_000),
    "a hundred thousand backticks": ("a.md", lambda: b"`a" * 100_000 + b"\n\n" + b"`" * 100_001),
    "a hundred thousand asterisks": ("a.md", lambda: b"*a_" * 100_000),
    "quotes in quotes": ("a.md", lambda: b">" * 50_000 + b" a\n"),
    "lists in lists": ("a.md", lambda: b"".join(b" " * 2 * n + b"- a\n" for n in range(1000))),
    "a table of bars": ("a.md", lambda: b"|" * 200_000 + b"\n" + b"|-" * 100_000 + b"\n" + b"|" * 200_000),
    "a front matter that never ends": ("a.md", lambda: b"---\n" + b"a: b\n" * 20_000),
    "a YAML bomb": (
        "a.md",
        lambda: b"---\na: &a [x, x]\n" + b"".join(b"a%d: &a%d [*a, *a]\n" % (n, n) for n in range(50)) + b"---\n# b\n",
    ),
    "full stops and numbers": ("a.txt", lambda: b"1.2.3. " * 30_000),
    "a law of articles": ("a.txt", lambda: b"Art. 1. 1. 1) a) " * 5000),
    "zeros": ("a.txt", lambda: b"\0" * 1_000_000),
    "letters between zeros": ("a.txt", lambda: b"u\0r\0l\0o\0p\0" * 100_000),
    "bytes in no encoding": ("a.txt", lambda: bytes(range(128, 256)) * 2000),
    "lone surrogates": ("a.txt", lambda: b"\xff\xfe" + b"\x00\xd8" * 100_000 + "Urlop".encode("utf-16-le")),
    "combining marks without end": ("a.txt", lambda: ("a" + "\u0301" * 300_000).encode()),
    "text written both ways": ("a.txt", lambda: "\u202eplorU\u202c \u2066\u2067urlop".encode() * 1000),
    "a PDF that is called DOCX": ("a.docx", lambda: TEXT),
    "a DOCX that is called PDF": ("a.pdf", lambda: WORD),
    "a program that is called DOC": ("a.doc", lambda: b"MZ\x90\0" + b"\0\1\2" * 20_000),
    "PDF and ZIP at once": ("a.pdf", lambda: TEXT + zip_bomb("word/document.xml", 10)),
    "HTML and script at once": ("a.html", lambda: b"GIF89a<!doctype html><script>alert(1)</script>"),
    "a truncated PDF": ("a.pdf", lambda: TEXT[: len(TEXT) // 2]),
    "a truncated DOCX": ("a.docx", lambda: WORD[: len(WORD) // 2]),
    "a truncated OLE file": ("a.doc", lambda: OLE + b"\xff" * 100),
    "an OLE file whose sectors chase each other": ("a.xls", lambda: OLE + b"\0" * 40 + b"\1\0\0\0" * 400),
    "a truncated mail": ("a.eml", lambda: eml(b"--x\r\nContent-Tr", b'multipart/mixed; boundary="x"')),
    "a truncated PNG": ("a.png", lambda: png(100, 100, b"\0" * 100)[:50]),
    "truncated JSON": ("a.json", lambda: json.dumps({"a": ["urlop"] * 1000}).encode()[:-20]),
    "RTF of deep groups": ("a.rtf", lambda: b"{\\rtf1 " + b"{" * 200_000),
    "LaTeX of macros that grow": (
        "a.tex",
        lambda: (
            b"\\documentclass{article}\\begin{document}"
            + b"".join(b"\\newcommand{\\%c}{%s}" % (98 + n, b"\\%c" % (97 + n) * 10) for n in range(20))
            + b"\\u Urlop\\end{document}"
        ),
    ),
}
