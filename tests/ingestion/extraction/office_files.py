"""Small Office files built in the test."""

import zipfile
from io import BytesIO
from typing import Any

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def docx(fill: Any) -> bytes:
    """A DOCX file; `fill` writes into the empty python-docx document it is called with."""
    import docx as library

    document = library.Document()
    fill(document)
    buffer = BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            stored = zipfile.ZIP_STORED if name == "mimetype" else None  # as OpenDocument demands
            archive.writestr(name, content, compress_type=stored)
    return buffer.getvalue()


def encrypted_office() -> bytes:
    """The head of an OLE2 file and the directory name under which Office keeps an encrypted document."""
    return OLE + b"\0" * 1016 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 512
