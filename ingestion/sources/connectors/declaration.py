"""What each kind of connector declares of itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from knowledgetree.errors import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A line of the form of a source. No secret: those are kept apart. `choices`: the values that it may have, each
    with its words; of none it is any text, or what the regular expression `pattern` matches, such as `example`.
    `about`: how the place is reached, what of it is read, or who reads that.
    """

    name: str
    label: Text
    help: Text = ""
    required: bool = False
    choices: tuple[tuple[str, Text], ...] = ()
    pattern: str = ""
    example: str = ""
    about: Literal["connection", "content", "documents"] = "connection"

    def takes(self, value: str) -> bool:
        return not value or not self.pattern or re.fullmatch(self.pattern, value.strip()) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectorKind:
    """`connector` is its class by path, so that what it needs (`packages`) is imported where a place is read.

    `schemes` are those of its locations, each with its usual port; others are the administrator's to allow.
    `server_setting` names the setting with the address of the server, `usual_server` is what that is when empty;
    without both the location says where the server is. `account_setting` names the setting with the account.
    `tells_rights`: whether such places can say who may read what.
    """

    connector: str
    packages: tuple[str, ...]
    schemes: Mapping[str, int]
    example: str
    settings: tuple[Setting, ...] = ()
    secret: Text = ""
    secret_help: Text = ""
    server_setting: str = ""
    usual_server: str = ""
    account_setting: str = "user"
    tells_rights: bool = False
    other_ports: frozenset[int] = field(default=frozenset())

    @property
    def ports(self) -> frozenset[int]:
        return frozenset(self.schemes.values()) | self.other_ports

    def default_port(self, scheme: str) -> int:
        return self.schemes.get(scheme, 443)
