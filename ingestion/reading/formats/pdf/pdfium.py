"""Opening a PDF with pdfium, one thread at a time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from ingestion.errors import EncryptedDocument
from ingestion.reading.failures import reading

pdfium_lock = threading.Lock()  # pdfium is not thread-safe, not even for two different documents


@contextmanager
def opened_pdf(content: bytes) -> Iterator[Any]:
    """A `pypdfium2.PdfDocument`, closed afterwards. Raises EncryptedDocument, CorruptDocument."""
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    with pdfium_lock, reading("PDF"):
        try:
            document = pdfium.PdfDocument(content)
        except pdfium.PdfiumError as error:
            if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
                raise EncryptedDocument(_("The file is protected with a password.")) from error
            raise
    try:
        yield document
    finally:
        with pdfium_lock:
            document.close()
