"""What the worker and the reading process say to each other: JSON, checked on arrival, never pickled objects."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import Base64Bytes, Field, TypeAdapter

from ingestion.types import ExtractedText, MarkedPage

_MARGIN_BYTES = 50_000_000  # of an answer, beside what is counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A file to read as text; its content follows as it is. `language` is the one of the messages; `second` names an
    extractor that is to read the file too.
    """

    name: str
    language: str
    max_bytes: int
    max_characters: int
    seconds: float
    second: str = ""
    kind: Literal["extract"] = "extract"

    @property
    def most_bytes(self) -> int:
        """The size of the answer: six bytes for each allowed character, as JSON writes the rarest, of both texts."""
        return 12 * self.max_characters + _MARGIN_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRequest:
    """Page `page` of a PDF as a picture, `width` pixels wide; the file follows as it is."""

    page: int
    width: int
    language: str
    seconds: float
    kind: Literal["paint"] = "paint"

    @property
    def most_bytes(self) -> int:
        return _MARGIN_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesRequest:
    """Where on page `page` of a PDF, whose text is `text`, the characters [start, end) stand; the file follows."""

    page: int
    text: str
    start: int
    end: int
    language: str
    seconds: float
    kind: Literal["mark"] = "mark"

    @property
    def most_bytes(self) -> int:
        return _MARGIN_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpackRequest:
    """Files of an archive from `start` on, of `batch_bytes` together and `max_bytes` each; the archive follows."""

    start: int
    batch_bytes: int
    max_bytes: int
    language: str
    seconds: float
    kind: Literal["unpack"] = "unpack"

    @property
    def most_bytes(self) -> int:
        """The size of the answer: one file may be larger than a batch; base64 takes four bytes for three."""
        return 2 * max(self.batch_bytes, self.max_bytes) + _MARGIN_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Progressed:
    done: int
    total: int
    kind: Literal["progressed"] = "progressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    media_type: str
    extracted: ExtractedText
    kind: Literal["read"] = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted:
    picture: Base64Bytes
    kind: Literal["painted"] = "painted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    page: MarkedPage
    kind: Literal["marked"] = "marked"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnpackedFile:
    """A file of an archive, see `ArchivedFile`."""

    path: str
    content: Base64Bytes
    trouble: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    files: list[UnpackedFile]
    following: int | None
    kind: Literal["unpacked"] = "unpacked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The file cannot be read: `code`, `message`, `remedy` and `detail` of an ExtractionError."""

    code: str
    message: str
    remedy: str
    detail: str = ""
    kind: Literal["refused"] = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhausted:
    """The memory did not suffice."""

    kind: Literal["exhausted"] = "exhausted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """The parser failed in a way that nobody foresaw; `error` is for the log."""

    error: str
    kind: Literal["broken"] = "broken"


Asked: TypeAlias = Request | PictureRequest | PlacesRequest | UnpackRequest
Answered: TypeAlias = Read | Painted | Marked | Unpacked | Refused
Reply: TypeAlias = Progressed | Answered | Exhausted | Broken

REQUEST: TypeAdapter[Asked] = TypeAdapter(Annotated[Asked, Field(discriminator="kind")])
REPLY: TypeAdapter[Reply] = TypeAdapter(Annotated[Reply, Field(discriminator="kind")])
