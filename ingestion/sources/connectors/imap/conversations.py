"""Conversations in a folder: messages that refer to each other, and how they become one document."""

import email
import re
from collections.abc import Iterable, Mapping, Sequence
from email.message import Message
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from typing import Any, Final

REFERRING: Final = "BODY.PEEK[HEADER.FIELDS (MESSAGE-ID REFERENCES IN-REPLY-TO)]"
"""What is fetched of each message to know where it belongs."""

_IDENTIFIER = re.compile(r"<[^<>\s]{1,500}>")
_SAID = ("Subject", "From", "To", "Date")


def conversations(told: Mapping[int, Mapping[bytes, Any]]) -> list[list[int]]:
    """UIDs that belong together, each conversation in the order of its messages, by their first. `told` has the headers
    REFERRING by UID. Messages belong together that name each other, or both a third one that need not be there.
    """
    found: dict[str, str] = {}  # identifier to another of its conversation, in the end to itself
    by_uid = {uid: _identifiers(one, uid) for uid, one in sorted(told.items())}
    for named in by_uid.values():
        roots = [_root(found, one) for one in named]
        for other in roots[1:]:
            found[_root(found, other)] = _root(found, roots[0])
    grouped: dict[str, list[int]] = {}
    for uid, named in by_uid.items():
        grouped.setdefault(_root(found, named[0]), []).append(uid)
    return list(grouped.values())


def joined(messages: Sequence[bytes]) -> bytes:
    """A message that has all of these in it, with the subject, the sender and the date of the first."""
    read = [email.message_from_bytes(one) for one in messages]
    if len(read) == 1:
        return messages[0]
    whole = MIMEMultipart("digest", boundary="=_conversation")
    for name in _SAID:
        if value := read[0].get(name):
            whole[name] = value
    for one in read:
        whole.attach(MIMEMessage(one))
    return whole.as_bytes()


def _identifiers(told: Mapping[bytes, Any], uid: int) -> list[str]:
    headers = next((value for key, value in told.items() if key.startswith(b"BODY[HEADER")), b"")
    parsed: Message = email.message_from_bytes(headers or b"")
    return _named(parsed.get(name, "") for name in ("Message-ID", "References", "In-Reply-To")) or [f"uid {uid}"]


def _named(headers: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(one for header in headers for one in _IDENTIFIER.findall(str(header))))


def _root(found: dict[str, str], one: str) -> str:
    found.setdefault(one, one)
    while found[one] != one:
        found[one] = found[found[one]]
        one = found[one]
    return one
