"""Pages and attachments as Confluence tells them, and who may view them.

https://developer.atlassian.com/cloud/confluence/rest/v1/api-group-content/ and the same of Data Center.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from ingestion.sources.types import Principal, Principals

Number = Annotated[str, BeforeValidator(str), Field(pattern=r"^(att)?\d{1,20}$")]


class _Version(BaseModel):
    number: int


class _Space(BaseModel):
    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9_~.-]+$", max_length=255)]


class _Person(BaseModel):
    email: str = ""
    username: str = ""
    accountId: str = ""  # noqa: N815  (Confluence's name)

    @property
    def name(self) -> str:
        """Whose of these people here are known by; the cloud hides addresses of e-mail where people want that."""
        return self.email or self.username or self.accountId


class _NamedGroup(BaseModel):
    name: str = ""


class _People(BaseModel):
    results: list[_Person] = []


class _NamedGroups(BaseModel):
    results: list[_NamedGroup] = []


class _Restrictions(BaseModel):
    user: _People = _People()
    group: _NamedGroups = _NamedGroups()


class _Operation(BaseModel):
    restrictions: _Restrictions


class _ReadRestrictions(BaseModel):
    read: _Operation


class _Parent(BaseModel):
    id: Number


class _Extensions(BaseModel):
    fileSize: int | None = None  # noqa: N815


class _View(BaseModel):
    value: str


class _RenderedBody(BaseModel):
    view: _View


class Content(BaseModel):
    id: Number
    type: Literal["page", "attachment"]
    title: str
    version: _Version
    space: _Space | None = None
    container: _Parent | None = None
    ancestors: list[_Parent] = []
    restrictions: _ReadRestrictions | None = None
    extensions: _Extensions = _Extensions()
    body: _RenderedBody | None = None

    @property
    def viewers(self) -> Principals | None:
        """Those whom the page itself is restricted to; None: it is not. Of a restriction that is not told, nobody."""
        if self.restrictions is None:
            return frozenset()
        told = self.restrictions.read.restrictions
        people = {Principal(kind="user", name=one.name) for one in told.user.results if one.name}
        groups = {Principal(kind="group", name=one.name) for one in told.group.results if one.name}
        restricted = told.user.results or told.group.results
        return frozenset(people | groups) if restricted else None


class _Links(BaseModel):
    next: str = ""


class ContentPage(BaseModel):
    results: list[Content]
    links: Annotated[_Links, Field(alias="_links")] = _Links()


class FoundSpaces(BaseModel):
    results: list[Any]


def readers_of(own: str, pages: Mapping[str, Content]) -> Principals | None:
    """Who may read a page: whom its own restriction and that of each page above it name. None: nothing is restricted.

    Who is in a group that one names and is named in person by another reads it there and not here: sets of names cannot
    say that. A page above that is not among `pages` cannot be seen, so that nobody is known to read what is below it.
    """
    if own not in pages:
        return frozenset()
    above = [own, *(one.id for one in pages[own].ancestors)]
    found = [pages[one].viewers if one in pages else frozenset() for one in above]
    return _common(one for one in found if one is not None)


def _common(restrictions: Iterable[Principals]) -> Principals | None:
    found: Principals | None = None
    for one in restrictions:
        found = one if found is None else found & one
    return found
