"""E-mail (EML): the headers, the text of the message and that of what is attached."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from django.utils.translation import gettext as _

from ingestion.errors import ExtractionError
from ingestion.reading import media_types
from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.mail.parts import Attachment, attachments_of, body_of, header, parsed, sent
from ingestion.types import ExtractedText, Progress, no_progress

_MAX_DEPTH = 3
"""Messages in messages; a chain of forwarded ones is rarely longer, and a bomb always is."""

_MAX_ATTACHMENTS = 30
_SHOWN = ("From", "To", "Cc", "Date")


class MailExtractor:
    """Subject as the heading, headers, body (plain text before HTML), then each attachment that can be read.

    Attached messages are read too. `metadata` has from, to, date, subject and the names of the attachments; those
    that could not be read are named in warnings with the reason. Pages of attachments are not kept.
    Raises EmptyDocument, CorruptDocument.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("EML"):
            extracted = read_message(parsed(content))
        progress(1, 1)
        return extracted


def read_message(message: EmailMessage) -> ExtractedText:
    """The text of a message and of what hangs on it. Raises EmptyDocument."""
    reader = _Reader()
    blocks = [block for block in reader.blocks(message, depth=0) if block]
    return ExtractedText(
        text=require_text(clean("\n\n".join(blocks))),
        extractor="mail",
        title=header(message, "Subject"),
        warnings=tuple(reader.warnings),
        metadata={
            "from": header(message, "From"),
            "to": header(message, "To"),
            "date": sent(message),
            "subject": header(message, "Subject"),
            "attachments": reader.names,
        },
    )


@dataclass(slots=True)
class _Reader:
    """Goes through one message; `names` and `warnings` are those of all attachments, also of attached messages."""

    names: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def blocks(self, message: EmailMessage, *, depth: int, name: str = "") -> Iterator[str]:
        if heading := header(message, "Subject") or name:
            yield f"{'#' * (depth + 1)} {heading}"
        lines = [f"{name}: {header(message, name) if name != 'Date' else sent(message)}" for name in _SHOWN]
        yield "\n".join(line for line in lines if not line.endswith(": "))
        yield body_of(message)
        for attachment in attachments_of(message):
            yield from self._attached(attachment, depth=depth + 1)

    def _attached(self, attachment: Attachment, *, depth: int) -> Iterator[str]:
        self.names.append(attachment.name)
        if len(self.names) > _MAX_ATTACHMENTS or depth > _MAX_DEPTH:
            self._warn(attachment, _("too many attachments"))
            return
        try:
            if attachment.message is not None:
                yield from self.blocks(attachment.message, depth=depth, name=attachment.name)
            else:
                yield from self._file(attachment, depth=depth)
        except ExtractionError as error:
            self._warn(attachment, error.message)

    def _file(self, attachment: Attachment, *, depth: int) -> Iterator[str]:
        from ingestion.reading.registry import extractor_for  # it builds this extractor

        media_type = media_types.detect_media_type(attachment.content, name=attachment.name)
        if media_type == "message/rfc822":
            yield from self.blocks(parsed(attachment.content), depth=depth, name=attachment.name)
            return
        found = extractor_for(media_type).extract(attachment.content, name=attachment.name, progress=no_progress)
        self.warnings += [f"{attachment.name}: {warning}" for warning in found.warnings]
        yield f"{'#' * (depth + 1)} {attachment.name}"
        yield found.text.strip()

    def _warn(self, attachment: Attachment, reason: Any) -> None:
        message = _("The attachment %(name)s was not read: %(reason)s")
        self.warnings.append(message % {"name": attachment.name, "reason": reason})
