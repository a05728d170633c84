"""A second look at a file by another extractor, beside the one that its type has."""

from importlib.util import find_spec

from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from ingestion.errors import ExtractionError
from ingestion.reading.protocol import Extractor
from ingestion.types import ExtractedText, Progress

SECOND_EXTRACTORS = {"pdfplumber": ("application/pdf", "ingestion.reading.formats.pdf.plumbed.PlumbedPdfExtractor")}
"""By the name that the settings give: the media type it reads, and its class."""


def is_installed(name: str) -> bool:
    return find_spec(name) is not None


def second_text(
    content: bytes, *, extractor: str, media_type: str, name: str, max_characters: int, progress: Progress
) -> tuple[ExtractedText | None, str]:
    """What `extractor` reads in the file, and a warning where that failed or came to more than `max_characters`;
    (None, "") for files it does not read.

    The first text is the document: whatever goes wrong here costs no more than the second.
    """
    reads, path = SECOND_EXTRACTORS.get(extractor, ("", ""))
    if reads != media_type:
        return None, ""
    try:
        built: Extractor = import_string(path)()
        text = built.extract(content, name=name, progress=lambda done, total: progress(total, total))
    except (ExtractionError, ImportError, MemoryError) as error:
        return None, _("The second extractor, %(name)s, could not read the file (%(why)s).") % {
            "name": extractor,
            "why": str(error) or type(error).__name__,
        }
    if len(text.text) > max_characters:
        warning = _(
            "What the second extractor, %(name)s, read was left out: %(count)s characters, the limit is %(limit)s."
        )
        return None, warning % {"name": extractor, "count": len(text.text), "limit": max_characters}
    return text, ""
