"""Who may read a file by its permissions: https://learn.microsoft.com/graph/api/resources/permission

People are known by their e-mail address, groups of Entra by theirs or else by their identifier, groups of SharePoint
by the path of their site with their name: names alone anybody may give to a group.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from ingestion.sources.types import Principal, Principals

_READING: Final = frozenset({"read", "write", "owner", "sp.full control"})
_EVERYBODY = re.compile(r"c:0-\.f\|rolemanager\|spo-grid-all-users/.+|c:0\(\.s\|true", re.IGNORECASE)
_PERSON = re.compile(r"i:0#\.f\|membership\|(.+)", re.IGNORECASE)
_ENTRA_GROUP = re.compile(
    r"c:0[^|]*\|(?:tenant|federateddirectoryclaimprovider)\|([0-9a-f-]{36}(?:_o)?)", re.IGNORECASE
)
_NO_END: Final = 1970  # before that an expiry is the least date there is, which stands for none


class _Identity(BaseModel):
    id: str | None = None
    name: Annotated[str | None, Field(alias="displayName")] = None
    title: str | None = None
    email: str | None = None
    login: Annotated[str | None, Field(alias="loginName")] = None


class _Identities(BaseModel):
    user: _Identity | None = None
    group: _Identity | None = None
    site_user: Annotated[_Identity | None, Field(alias="siteUser")] = None
    site_group: Annotated[_Identity | None, Field(alias="siteGroup")] = None
    sharepoint_group: Annotated[_Identity | None, Field(alias="sharePointGroup")] = None

    @property
    def logins(self) -> list[str]:
        told = (self.site_user, self.group, self.user)
        return [one.login for one in told if one and one.login]

    @property
    def is_everybody(self) -> bool:
        return any(_EVERYBODY.fullmatch(login) for login in self.logins)

    def principal(self, site: str) -> Principal | None:
        """None for an application, and for whom nothing is told by which they could be known."""
        if named := self.site_group or self.sharepoint_group:
            title = named.name or named.title or named.login
            return Principal(kind="group", name=f"/{site}/{title}".replace("//", "/")) if title else None
        entra = next((found[1] for login in self.logins if (found := _ENTRA_GROUP.fullmatch(login))), None)
        if self.group or entra:
            name = (self.group and (self.group.email or self.group.id)) or entra
            return Principal(kind="group", name=name) if name else None
        upn = next((found[1] for login in self.logins if (found := _PERSON.fullmatch(login))), None)
        email = next((one.email for one in (self.user, self.site_user) if one and one.email), None)
        name = email or upn or (self.user and self.user.id)
        return Principal(kind="user", name=name) if name else None


class Permission(BaseModel):
    roles: list[str] = []
    granted: Annotated[_Identities | None, Field(alias="grantedToV2")] = None
    granted_to_each: Annotated[list[_Identities], Field(alias="grantedToIdentitiesV2")] = []
    link: Any = None
    expires: Annotated[datetime | None, Field(alias="expirationDateTime")] = None

    @property
    def lets_read(self) -> bool:
        past = self.expires is not None and self.expires.year >= _NO_END and _in_utc(self.expires) <= datetime.now(UTC)
        return not past and not _READING.isdisjoint(role.lower() for role in self.roles)

    @property
    def identities(self) -> Iterator[_Identities]:
        """Who is named. Whoever else a link is for needs the link itself."""
        if self.granted and self.link is None:
            yield self.granted
        yield from self.granted_to_each


def readers_of(permissions: Iterable[Permission], site: str) -> Principals | None:
    """None: all of the organisation may. `site` is the path of the site."""
    named = [one for permission in permissions if permission.lets_read for one in permission.identities]
    if any(one.is_everybody for one in named):
        return None
    found = (one.principal(site) for one in named)
    return frozenset(one for one in found if one is not None)


def _in_utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
