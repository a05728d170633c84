"""Attachments of a message: which there are, by its BODYSTRUCTURE, and a message without them."""

import email
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.header import decode_header, make_header
from email.message import Message
from email.utils import collapse_rfc2231_value, decode_params, unquote
from typing import Any, Final

_MOST: Final = 200  # of one message
_DEPTH: Final = 8  # parts in parts
_SIGNATURES: Final = {b"pkcs7-signature", b"x-pkcs7-signature", b"pgp-signature"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedAttachment:
    """`section` is the number of its part, such as "2" or "2.1"; `name` has no slashes."""

    section: str
    name: str


def listed_attachments(structure: Any) -> list[ListedAttachment]:
    """The named parts of a message, as IMAPClient gives its BODYSTRUCTURE. Of a message of one part none."""
    found = list(_below(structure, "", 0)) if structure.is_multipart else []
    return found[:_MOST]


def without_attachments(content: bytes) -> bytes:
    """The message with what it says itself alone."""
    message = email.message_from_bytes(content)
    _strip(message)
    return message.as_bytes()


def decoded_part(header: bytes, body: bytes) -> bytes:
    """The content of a part, of its MIME header and its body as they travel."""
    part = email.message_from_bytes(header.rstrip(b"\r\n") + b"\r\n\r\n" + body)
    if part.get_content_type() == "message/rfc822":
        return body
    decoded = part.get_payload(decode=True)
    return decoded if isinstance(decoded, bytes) else b""


def _below(structure: Any, section: str, depth: int) -> Iterator[ListedAttachment]:
    for number, part in enumerate(structure[0], start=1):
        own = f"{section}.{number}" if section else str(number)
        if part.is_multipart:
            if depth < _DEPTH:
                yield from _below(part, own, depth + 1)
        elif name := _name(part):
            yield ListedAttachment(section=own, name=name)


def _name(part: Any) -> str:
    """Its file name, of the disposition or else of the type; "" for what is shown in the message."""
    kind, subtype = part[0].lower(), part[1].lower()
    disposition = next((one for one in part[7:] if _is_disposition(one)), None)
    inline = disposition is not None and disposition[0].lower() == b"inline"
    if subtype in _SIGNATURES or (kind == b"text" and inline) or (kind == b"image" and (inline or part[3])):
        return ""
    told = _parameters(disposition[1] if disposition else None), _parameters(part[2])
    name = told[0].get("filename", "") or told[1].get("name", "")
    return " ".join(name.replace("/", "_").replace("\\", "_").split())[-150:]


def _is_disposition(one: Any) -> bool:
    kinds = {b"attachment", b"inline"}
    return isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], bytes) and one[0].lower() in kinds


def _parameters(flat: Any) -> Mapping[str, str]:
    """By name in small letters, out of RFC 2047 and RFC 2231 as mail programs write them."""
    if not isinstance(flat, tuple):
        return {}
    pairs = [(_text(name), _text(value)) for name, value in zip(flat[::2], flat[1::2], strict=False)]
    told = decode_params([("", ""), *pairs])[1:]
    return {name.lower(): _decoded(unquote(collapse_rfc2231_value(value))) for name, value in told}


def _text(value: Any) -> str:
    return value.decode("utf-8", errors="replace") if isinstance(value, bytes) else str(value)


def _decoded(value: str) -> str:
    try:
        return str(make_header(decode_header(value)))
    except (ValueError, LookupError):
        return value


def _strip(message: Message) -> None:
    if not message.is_multipart() or message.get_content_maintype() != "multipart":
        return
    parts = [part for part in message.get_payload() if isinstance(part, Message)]
    kept = [part for part in parts if not part.get_filename() or part.get_content_disposition() == "inline"]
    message.set_payload([*kept])
    for part in kept:
        _strip(part)
