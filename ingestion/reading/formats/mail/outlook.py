"""MSG: the messages of Outlook, an OLE2 file with a stream for each property ([MS-OXMSG] 2.1)."""

from collections.abc import Iterator
from email.message import EmailMessage
from io import BytesIO
from typing import Any

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument
from ingestion.reading.encoding import clean, decode
from ingestion.reading.failures import reading
from ingestion.reading.formats.mail.mail import read_message
from ingestion.types import ExtractedText, Progress

_SUBJECT, _BODY, _HTML, _TO, _CC, _FROM_NAME, _FROM, _HEADERS = (
    "0037", "1000", "1013", "0E04", "0E03", "0C1A", "5D01", "007D",
)  # fmt: skip
_CONTENT, _LONG_NAME, _SHORT_NAME = "3701", "3707", "3704"


class OutlookExtractor:
    """As for other e-mail: subject, headers, body and what is attached; attached Outlook items are only named.

    The date is that of the Internet headers, which a message that was never sent lacks. Raises EmptyDocument,
    CorruptDocument.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        import olefile

        with reading("MSG"):
            try:
                with olefile.OleFileIO(BytesIO(content)) as file:
                    message = _message(file)
            except OSError as error:
                raise CorruptDocument(_("The file is cut off or damaged: its archive cannot be opened.")) from error
            extracted = read_message(message)
        progress(1, 1)
        return extracted


def _message(file: Any) -> EmailMessage:
    message = EmailMessage()
    sender, address = _text(file, "", _FROM_NAME), _text(file, "", _FROM)
    values = {
        "Subject": _text(file, "", _SUBJECT),
        "From": f"{sender} <{address}>" if address and address != sender else sender,
        "To": _text(file, "", _TO),
        "Cc": _text(file, "", _CC),
        "Date": next((line[5:] for line in _text(file, "", _HEADERS).split("\n") if line.startswith("Date:")), ""),
    }
    # Raw: the library would parse addresses, and Outlook keeps only names.
    message._headers = [(key, " ".join(value.split())) for key, value in values.items() if value.strip()]  # type: ignore[attr-defined]
    body, html = _text(file, "", _BODY), _text(file, "", _HTML)
    if body.strip() or not html.strip():
        message.set_content(body)
    else:
        message.set_content(html, subtype="html")
    for folder in _attachments(file):
        named = _text(file, folder, _LONG_NAME) or _text(file, folder, _SHORT_NAME) or _("attachment")
        content = _stream(file, f"{folder}__substg1.0_{_CONTENT}0102")
        message.add_attachment(
            content, maintype="application", subtype="octet-stream", filename=" ".join(named.split())
        )
    return message


def _attachments(file: Any) -> Iterator[str]:
    """The paths of the storages of attachments, with a slash at the end."""
    folders = {path[0] for path in file.listdir(storages=True) if path[0].startswith("__attach_version1.0_")}
    yield from (f"{folder}/" for folder in sorted(folders))


def _text(file: Any, folder: str, tag: str) -> str:
    """A property as text: UTF-16 (001F), in a code page (001E), or bytes (0102), as HTML may be."""
    path = f"{folder}__substg1.0_{tag}"
    if unicode := _stream(file, f"{path}001F"):
        return clean(unicode.decode("utf-16-le", errors="replace"))
    return decode(_stream(file, f"{path}001E") or _stream(file, f"{path}0102"))


def _stream(file: Any, path: str) -> bytes:
    return bytes(file.openstream(path).read()) if file.exists(path) and file.get_type(path) == 2 else b""
