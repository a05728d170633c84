"""The parts of a MIME message, as RFC 5322 and RFC 2045 have them and as real mail programs break them."""

import email
from collections.abc import Iterator
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage, MIMEPart
from email.utils import parsedate_to_datetime

from django.utils.translation import gettext as _

from ingestion.errors import ExtractionError
from ingestion.reading.encoding import clean, decode
from ingestion.reading.formats.html.html import HtmlExtractor
from ingestion.types import no_progress

_MAX_HEADER = 1000
_MAX_PARSED = 20_000
"""Characters of a header that is parsed: the library's time grows with the square of the number of addresses."""

_SIGNATURES = ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file, or another message."""

    name: str
    content: bytes = b""
    message: EmailMessage | None = None


def parsed(content: bytes) -> EmailMessage:
    message = email.message_from_bytes(content.lstrip(b"\r\n"), policy=policy.default)
    assert isinstance(message, EmailMessage)  # noqa: S101  the default policy builds these
    return message


def header(message: EmailMessage, name: str) -> str:
    """A header decoded, on one line; "" where there is none or the library cannot parse it."""
    raw = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    is_plain = raw.isascii() and len(raw) < _MAX_PARSED
    try:
        value = str(message.get(name, "")) if is_plain else _repaired(raw[:_MAX_PARSED])
    except (ValueError, IndexError, AttributeError, TypeError, LookupError):
        value = raw
    return " ".join(clean(value).split())[:_MAX_HEADER]


def sent(message: EmailMessage) -> str:
    """The date as "2024-03-15 10:30", in the time zone of the sender; as it is written where that is none."""
    written = header(message, "Date")
    try:
        return parsedate_to_datetime(written).strftime("%Y-%m-%d %H:%M")
    except (ValueError, TypeError, IndexError):
        return written


def body_of(message: EmailMessage) -> str:
    """What the sender wrote: the plain text, or the HTML where it is the only form."""
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None or part.is_multipart():
        return ""
    text = _html(part) if part.get_content_subtype() == "html" else _text(part)
    if not text.strip() and part.get_content_subtype() == "plain":
        other = message.get_body(preferencelist=("html",))
        text = _html(other) if other is not None else ""
    return text.strip()


def attachments_of(message: EmailMessage) -> Iterator[Attachment]:
    """Files and messages that hang on a message, without the pictures that stand in its text."""
    for number, part in enumerate(_attached_parts(message), start=1):
        if _is_inline_picture(part) or part.get_content_type() in _SIGNATURES:
            continue
        name = " ".join(clean(_repaired(part.get_filename() or "")).split())
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload(0)
            if isinstance(inner, EmailMessage):
                yield Attachment(name=name or header(inner, "Subject") or _unnamed(number), message=inner)
        elif not part.is_multipart():
            yield Attachment(name=name or _unnamed(number), content=_payload(part))


def _attached_parts(message: MIMEPart) -> Iterator[MIMEPart]:
    """Also those in a multipart/related or in a part that a signature wraps."""
    body = {id(message.get_body(preferencelist=(kind,))) for kind in ("plain", "html")}
    for part in message.iter_parts() if message.is_multipart() and not _is_message(message) else ():
        if part.get_content_maintype() == "multipart":
            yield from _attached_parts(part)
        elif id(part) not in body:
            yield part


def _is_message(part: MIMEPart) -> bool:
    return bool(part.get_content_maintype() == "message")


def _is_inline_picture(part: MIMEPart) -> bool:
    return part.get_content_maintype() == "image" and (
        part.get_content_disposition() == "inline" or part.get("Content-ID") is not None
    )


def _payload(part: MIMEPart) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _text(part: MIMEPart) -> str:
    """In the declared encoding, unless the bytes contradict it."""
    raw = _payload(part)
    try:
        return clean(raw.decode(part.get_content_charset() or "ascii"))
    except (LookupError, UnicodeDecodeError):
        return decode(raw)


def _html(part: MIMEPart) -> str:
    try:
        found = HtmlExtractor().extract(_text(part).encode(), name="", progress=no_progress)
    except ExtractionError:
        return ""
    return found.text


def _repaired(value: str) -> str:
    """Headers with 8-bit bytes that nobody declared arrive as surrogates."""
    try:
        return decode(value.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return value


def _unnamed(number: int) -> str:
    return _("attachment %(number)d") % {"number": number}
