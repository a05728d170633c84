"""Kinds of documents in words that readers know: several media types are one of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ingestion.library.documents import Choice

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."

KINDS: dict[str, tuple[str | Promise, tuple[str, ...]]] = {
    "pdf": ("PDF", ("application/pdf",)),
    "word": (
        _("Word and the like"),
        (f"{_OFFICE}wordprocessingml.", "application/msword", f"{_OPEN}text", "application/rtf"),
    ),
    "sheet": (
        _("spreadsheet"),
        (f"{_OFFICE}spreadsheetml.", "application/vnd.ms-excel", f"{_OPEN}spreadsheet", "text/csv"),
    ),
    "slides": (
        _("presentation"),
        (f"{_OFFICE}presentationml.", "application/vnd.ms-powerpoint", f"{_OPEN}presentation"),
    ),
    "web": (_("web page"), ("text/html",)),
    "mail": (_("e-mail"), ("message/rfc822", "application/vnd.ms-outlook")),
    "picture": (_("picture or scan"), ("image/",)),
    "data": (_("data"), ("application/json", "application/x-ndjson", "application/vnd.oai.openapi")),
    "text": (_("text"), ("text/plain", "text/markdown", "application/x-tex")),
    "code": (_("source code"), ("text/x-",)),
    "other": (_("something else"), ("",)),
}
"""{key: (name, how its media types begin)}; the first that fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindChoice:
    value: str
    name: str
    documents: int


def kind_of(media_type: str) -> str:
    """A key of KINDS."""
    return next(key for key, (_name, beginnings) in KINDS.items() if media_type.startswith(beginnings))


def kinds(media_types: Sequence[Choice]) -> tuple[KindChoice, ...]:
    """What there is of each kind, the most first."""
    counted: Counter[str] = Counter()
    for choice in media_types:
        counted[kind_of(choice.value)] += choice.documents
    return tuple(KindChoice(value=key, name=str(KINDS[key][0]), documents=many) for key, many in counted.most_common())


def media_types_of(kind: str, offered: Sequence[Choice]) -> tuple[str, ...]:
    """Those of `offered` that are of `kind`; none for a kind that is not there."""
    return tuple(choice.value for choice in offered if kind and kind_of(choice.value) == kind)
