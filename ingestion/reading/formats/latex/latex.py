"""LaTeX: the text of a document as Markdown; formulas stay as they were written."""

import re

from django.utils.translation import gettext as _

from ingestion.errors import DocumentTooLarge
from ingestion.reading.encoding import clean, decode
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.latex.nodes import LatexText
from ingestion.reading.formats.text.markdown import first_heading
from ingestion.types import ExtractedText, Progress

_BODY = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.S)
_PDF_TITLE = re.compile(r"pdftitle\s*=\s*\{([^{}]*)\}")
_TITLE = re.compile(r"\\title\s*(?:\[[^\]]*\]\s*)?\{((?:[^{}]|\{[^{}]*\})*)\}")
_INCLUDED = re.compile(r"^[^%\n]*?\\(?:input|include|subfile)\s*\{([^{}]+)\}", re.M)


MAX_SOURCE = 3_000_000
"""Characters; the parser takes half a minute for as many, and no document written by hand comes near."""


class LatexExtractor:
    """Headings, lists, tables and footnotes; the preamble is left out but for the title, own commands are not expanded.

    Included files are named in a warning: they are documents of their own. Raises EmptyDocument, CorruptDocument,
    DocumentTooLarge.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        source = require_text(decode(content))
        if len(source) > MAX_SOURCE:
            message = _("The source has %(count)d characters, the limit is %(limit)d.")
            raise DocumentTooLarge(message % {"count": len(source), "limit": MAX_SOURCE})
        with reading("LaTeX"):
            latex = LatexText()
            title = _title(source, latex)
            found = _BODY.search(source)
            text = clean(latex.markdown(found[1] if found else source, title=title))
        progress(1, 1)
        text = require_text(text)
        return ExtractedText(
            text=text, extractor="latex", title=title or first_heading(text), warnings=_warnings(source)
        )


def _title(source: str, latex: LatexText) -> str:
    found = _TITLE.search(source) or _PDF_TITLE.search(source)
    return " ".join(clean(latex.plain(found[1])).split()) if found else ""


def _warnings(source: str) -> tuple[str, ...]:
    names = ", ".join(dict.fromkeys(_INCLUDED.findall(source)))
    return (_("Files that this one includes are not part of it: %(names)s.") % {"names": names},) if names else ()
