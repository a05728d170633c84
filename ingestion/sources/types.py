"""What reading a source comes to, address by address."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Literal, Self

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError, Text
from knowledgetree.fetching import Validators
from knowledgetree.fetching.errors import HTTPFailure

SkipReason = Literal[
    "excluded", "robots", "noindex", "duplicate", "other_site", "endless", "limit", "given_up", "link", "no_text",
    "media_type", "vanished",
]  # fmt: skip

SKIP_REASONS: Final[dict[SkipReason, Text]] = {
    "excluded": _("The patterns of the source leave it out."),
    "robots": _("The site's robots.txt asks not to read it."),
    "noindex": _("The page asks not to be indexed."),
    "duplicate": _("It is the same page as another."),
    "other_site": _("It leads to another site."),
    "endless": _("It is one of a row of addresses without end, such as those of a calendar."),
    "limit": _("The limit of pages was reached before it."),
    "given_up": _("The site stopped answering before it."),
    "link": _("It is a link that leads out of the folder."),
    "no_text": _("The entry has no text."),
    "media_type": _("It is no page or document."),
    "vanished": _("It was listed and then was there no more."),
}

_BUSY: Final = {429, 503}  # whose Retry-After is meant for the same request

Stopped = Callable[[], bool]
"""Whether reading should end; asked between documents."""


def never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The version that we have of a document: what its server said of it, and the SHA-256 of the content, in hex.

    Of a file `last_modified` is the time and the size that the file system gives. All "": known by address alone.
    `links` are where the page leads: a server that says "not modified" does not send them again. `fresh`: read a moment
    ago, so that it need not be asked for at all. `identity`: what its place knows it by, wherever it is (`ListedItem`).
    `gone`: the last synchronisation did not find it any more.
    """

    etag: str = ""
    last_modified: str = ""
    checksum: str = ""
    links: tuple[str, ...] = ()
    fresh: bool = False
    identity: str = ""
    gone: bool = field(default=False, compare=False)

    @property
    def validators(self) -> Validators:
        return Validators(etag=self.etag, last_modified=self.last_modified)

    @classmethod
    def of(
        cls, content: bytes, *, etag: str = "", last_modified: str = "", links: tuple[str, ...] = (), identity: str = ""
    ) -> Self:
        checksum = hashlib.sha256(content).hexdigest()
        return cls(etag=etag, last_modified=last_modified, checksum=checksum, links=links, identity=identity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Somebody as a source calls them: by name, e-mail address or identifier."""

    kind: Literal["user", "group"]
    name: str


Principals = frozenset[Principal]
"""Those who alone may read a document; of nobody it is the empty set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a source says of a document besides its content: between which days it is valid (None: not bound), and
    words by name. An editor's word goes before it.
    """

    title: str = ""
    valid_from: date | None = None
    valid_to: date | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A change of a document at its place: `key` by which the place knows it, when it was, who made it and why."""

    key: str
    since: datetime
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierContent:
    """What a document said before, since a `revision`, as a file of this `name`. `etag`: what its server called that.
    `read` raises KnowledgeTreeError.
    """

    revision: Revision
    name: str
    etag: str
    read: Callable[[], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedDocument:
    """A document that is new or has changed. `name` is its file name; `title` is "" where only its text can
    tell, `media_type` where only its content can. `former`: the known address that had this content and is there no
    more, where it was renamed or moved. `readers`: None where the source gives no rights of its own, `told` where it
    says nothing of the document. `revision`, and what it said `earlier`, the newest first: where its place keeps that.
    """

    uri: str
    title: str
    name: str
    content: bytes
    media_type: str
    version: Known
    former: str = ""
    readers: Principals | None = None
    told: Told | None = None
    revision: Revision | None = None
    earlier: tuple[EarlierContent, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    uri: str
    version: Known
    readers: Principals | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A known document that is elsewhere now and was not read: its place says that it is the same, `version`.
    `former`: the known address, which is there no more.
    """

    uri: str
    former: str
    version: Known
    readers: Principals | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A known document that is there no more."""

    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Not read, for a reason that is no failure; SKIP_REASONS has it in words. A known document may be among them."""

    uri: str
    reason: SkipReason


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchFailure:
    """It may or may not be there: what we have of it should stay. `wait`: the seconds that its server asks for."""

    uri: str
    code: str
    message: str
    retryable: bool = False
    wait: float = 0.0

    @classmethod
    def because(cls, uri: str, error: KnowledgeTreeError) -> "FetchFailure":
        wait = error.retry_after if isinstance(error, HTTPFailure) and error.answered in _BUSY else None
        return cls(uri=uri, code=error.code, message=str(error), retryable=error.retryable, wait=wait or 0.0)


Outcome = FetchedDocument | Unchanged | Moved | Gone | Skipped | FetchFailure


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What would come of an address, where a synchronisation is only tried. `former`: where it was before, as far as
    that is known without reading it.
    """

    uri: str
    result: Literal["new", "changed", "gone"]
    former: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Everything up to `cursor` was given: the next synchronisation goes on from there, if nothing is tried again.
    `complete`: what is there was given, not only what changed.
    """

    cursor: str
    complete: bool = True


ReadingStep = Outcome | Planned | Reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """What a source did not give: `all` says why it gave nothing at all, `some` are failures that may pass."""

    all: FetchFailure | None = None
    some: tuple[FetchFailure, ...] = ()

    @property
    def wait(self) -> float:
        """The seconds that the most patient server asks for."""
        return max((failed.wait for failed in self.some), default=0.0)
