"""How far libraries were listed, as a cursor: of each the link to what changes later, and its folders.

A folder that is renamed is told alone, without its files, and one that is deleted by its identifier: so the names of
folders, and nothing of files, are kept beside the link.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ingestion.sources.connectors.folders import MAX_DEPTH

NOWHERE: Final = "?"
"""The identifier of no folder."""

CLOSED: Final = ""
"""The name of a folder whose files are not read."""


class Folder(NamedTuple):
    """`parent`: the identifier of the one it is in; "" of the root."""

    parent: str
    name: str


@dataclass(frozen=True, slots=True)
class FolderTree:
    """Folders by identifier."""

    folders: Mapping[str, Folder] = field(default_factory=dict)

    def path(self, folder: str) -> str | None:
        """Below the root; None of one that is closed, lies too deep, or leads nowhere."""
        names: list[str] = []
        while len(names) <= MAX_DEPTH and (found := self.folders.get(folder)):
            if not found.parent:
                return "/".join(reversed(names))
            if found.name == CLOSED:
                return None
            names.append(found.name)
            folder = found.parent
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveProgress:
    """`prefix`: what stands before the paths of its files."""

    link: str
    prefix: str
    tree: FolderTree


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteProgress:
    """`whole`: when everything was listed last, in seconds since 1970. `drives` by identifier."""

    whole: float
    drives: Mapping[str, DriveProgress]

    @property
    def cursor(self) -> str:
        told = {
            key: [one.link, one.prefix, {name: list(folder) for name, folder in one.tree.folders.items()}]
            for key, one in self.drives.items()
        }
        return json.dumps({"whole": self.whole, "drives": told}, ensure_ascii=False, separators=(",", ":"))


def progress_of(cursor: str) -> SiteProgress | None:
    """None for a cursor that is none: everything is listed then."""
    try:
        told = json.loads(cursor or "null")
        drives = {
            str(key): DriveProgress(
                link=str(link),
                prefix=str(prefix),
                tree=FolderTree({str(name): Folder(*map(str, folder)) for name, folder in folders.items()}),
            )
            for key, (link, prefix, folders) in told["drives"].items()
        }
        return SiteProgress(whole=float(told["whole"]), drives=drives)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
