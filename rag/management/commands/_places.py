"""What `query` and `search` say alike: where a text stands, and which word was searched instead of another."""

from django.utils.translation import gettext as _

from rag.types import Citation, Correction, Passage


def place(found: Citation | Passage) -> str:
    """Where in the document: headings, page, lines."""
    page = _("p. %(n)d, ") % {"n": found.page_start} if found.page_start else ""
    lines = _("l. %(first)d–%(last)d") % {"first": found.line_start, "last": found.line_end}
    return f"{' › '.join(found.heading_path)} ({page}{lines})"


def corrected(correction: Correction) -> str:
    said = _("Showing results for: %(searched)s (instead of: %(typed)s)")
    return said % {"searched": correction.searched, "typed": correction.typed}
