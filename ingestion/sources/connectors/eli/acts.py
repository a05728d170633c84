"""Acts as the ELI service of the Sejm tells them: https://api.sejm.gov.pl/eli/openapi/"""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Final

from pydantic import BaseModel, Field, field_validator

from ingestion.sources.types import Told

_UNIFIED: Final = "U"  # the type of the text with all changes up to a day, which the Chancellery keeps
_CHANGING: Final = "Akty zmieniające"
_MOST_NAMED: Final = 50  # acts that change another, in its metadata
_DAY = timedelta(days=1)
_ADDRESS = re.compile(r"[A-Z]{1,4}/\d{4}/\d{1,5}")


class ListedAct(BaseModel):
    """What a list of acts has of one."""

    address: Annotated[str, Field(alias="ELI")]
    title: str = ""
    changed: Annotated[str, Field(alias="changeDate")] = ""
    has_html: Annotated[bool, Field(alias="textHTML")] = False
    has_pdf: Annotated[bool, Field(alias="textPDF")] = False

    @field_validator("title", "changed", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return "" if value is None else value

    @field_validator("has_html", "has_pdf", mode="before")
    @classmethod
    def _none_is_no(cls, value: object) -> object:
        return bool(value)

    @field_validator("address")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if not _ADDRESS.fullmatch(value):
            raise ValueError("no address of an act")
        return value


class ListedActs(BaseModel):
    """A page of a list."""

    items: Annotated[list[ListedAct], Field(max_length=100_000)]
    total: Annotated[int, Field(alias="totalCount")] = 0


class ActText(BaseModel):
    file: Annotated[str, Field(alias="fileName")]
    kind: Annotated[str, Field(alias="type")]


class Reference(BaseModel):
    act: Annotated[str, Field(alias="id")] = ""
    day: Annotated[str | None, Field(alias="date")] = None


class Act(ListedAct):
    """An act with its dates. `force` is IN_FORCE, NOT_IN_FORCE or something else where nobody knows."""

    kind: Annotated[str | None, Field(alias="type")] = None
    status: str | None = None
    force: Annotated[str | None, Field(alias="inForce")] = None
    where: Annotated[str | None, Field(alias="displayAddress")] = None
    entry: Annotated[date | None, Field(alias="entryIntoForce")] = None
    valid_from: Annotated[date | None, Field(alias="validFrom")] = None
    repealed: Annotated[date | None, Field(alias="repealDate")] = None
    expired: Annotated[date | None, Field(alias="expirationDate")] = None
    texts: list[ActText] | None = None
    references: Mapping[str, list[Reference]] | None = None

    @property
    def unified(self) -> str:
        """The file of the text with its changes, "" where there is none. Of several the last is the newest."""
        return next((one.file for one in reversed(self.texts or []) if one.kind == _UNIFIED), "")

    @property
    def told(self) -> Told:
        """Its title, when it is in force, and what was said of it."""
        start, end = self.entry or self.valid_from, self._last_day
        if start and end and end < start:
            start = None  # it was repealed before it came into force
        changing = (self.references or {}).get(_CHANGING, [])[:_MOST_NAMED]
        said = {
            "eli": self.address,
            "journal": self.where,
            "type": self.kind,
            "status": self.status,
            "changed_by": ", ".join(f"{one.act} ({one.day})" if one.day else one.act for one in changing),
        }
        metadata = {name: value for name, value in said.items() if value}
        return Told(title=self.title, valid_from=start, valid_to=end, metadata=metadata)

    @property
    def _last_day(self) -> date | None:
        """The one before that of the repeal. Of an act that is in force no more, nobody says since when, that before
        the last change of what is told of it.
        """
        ends = [day for day in (self.repealed, self.expired) if day]
        if ends:
            return min(ends) - _DAY
        if self.force == "NOT_IN_FORCE" and (changed := re.match(r"\d{4}-\d\d-\d\d", self.changed)):
            return date.fromisoformat(changed[0]) - _DAY
        return None
