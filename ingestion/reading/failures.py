"""One way to turn whatever a parser raises into an error that the editor understands."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument, EmptyDocument, ExtractionError


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Inside, any exception but our own becomes CorruptDocument: "The PDF file is damaged and cannot be read."

    Parsers meet hostile input with every exception there is, so the net is wide. Callbacks of the caller
    (progress) must run outside, or their errors would be blamed on the file.
    """
    try:
        yield
    except (ExtractionError, MemoryError):
        raise
    except Exception as error:
        reason = str(error).strip().splitlines()
        message = _("The %(what)s file is damaged and cannot be read.")
        detail = reason[0][:200] if reason else type(error).__name__
        raise CorruptDocument(message % {"what": what}, detail=detail) from error


def require_text(text: str) -> str:
    """`text` ending with one newline; raises EmptyDocument when nothing in it is visible."""
    if not text.strip():
        raise EmptyDocument(_("The file contains no text."))
    return text.strip("\n").rstrip() + "\n"
