"""Pictures and PDF files that want to harm who reads them, built small."""

import struct
import zlib


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
