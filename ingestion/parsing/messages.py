"""What the worker and the reading process say to each other: JSON, checked on arrival, never pickled objects."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from ingestion.types import ExtractedText


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A file to read; its content follows as it is. `language` is the one of the messages."""

    name: str
    language: str
    max_bytes: int
    max_characters: int
    seconds: float


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
class Refused:
    """The file cannot be read: `code`, `message` and `remedy` of an ExtractionError."""

    code: str
    message: str
    remedy: str
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


Reply = Annotated[Progressed | Read | Refused | Exhausted | Broken, Field(discriminator="kind")]

REQUEST: TypeAdapter[Request] = TypeAdapter(Request)
REPLY: TypeAdapter[Progressed | Read | Refused | Exhausted | Broken] = TypeAdapter(Reply)
