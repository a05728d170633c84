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


def xlsx(fill: Any) -> bytes:
    """An XLSX file; `fill` writes into the openpyxl workbook it is called with, which has one sheet."""
    import openpyxl

    workbook = openpyxl.Workbook()
    fill(workbook)
    buffer = BytesIO()
    workbook.save(buffer)
    return buffer.getvalue()


def xlsx_with_shared_strings(fill: Any) -> bytes:
    """An XLSX file as Excel writes it, texts apart from the sheets; `fill` gets an XlsxWriter workbook."""
    import xlsxwriter

    buffer = BytesIO()
    with xlsxwriter.Workbook(buffer) as workbook:
        fill(workbook)
    return buffer.getvalue()


def xls(fill: Any) -> bytes:
    """An XLS file; `fill` writes into the xlwt workbook it is called with, which has no sheet."""
    import xlwt

    workbook = xlwt.Workbook()
    fill(workbook)
    buffer = BytesIO()
    workbook.save(buffer)
    return buffer.getvalue()


def pptx(fill: Any) -> bytes:
    """A PPTX file; `fill` writes into the empty python-pptx presentation it is called with."""
    import pptx as library

    presentation = library.Presentation()
    fill(presentation)
    buffer = BytesIO()
    presentation.save(buffer)
    return buffer.getvalue()


def opendocument(kind: str, body: str, *, styles: str = "", manifest: str = "") -> bytes:
    """An ODT ("text"), ODS ("spreadsheet") or ODP ("presentation") with the XML of its body."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
        for name, space in {
            "office": "office", "text": "text", "table": "table", "draw": "drawing", "style": "style",
            "presentation": "presentation",
        }.items()
    )  # fmt: skip
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>"
    )
    members = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}".encode(),
        "content.xml": f'<?xml version="1.0" encoding="UTF-8"?>{content}'.encode(),
    }
    return zipped(members | ({"META-INF/manifest.xml": manifest.encode()} if manifest else {}))


def replaced_member(content: bytes, name: str, member: bytes) -> bytes:
    """The archive with one member exchanged or added."""
    with zipfile.ZipFile(BytesIO(content)) as archive:
        members = {one: archive.read(one) for one in archive.namelist()}
    return zipped(members | {name: member})
