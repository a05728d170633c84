"""Sites, libraries and what is in them, as Microsoft Graph tells them.

https://learn.microsoft.com/graph/api/resources/driveitem and https://learn.microsoft.com/graph/api/driveitem-delta
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, Field

from ingestion.sources.connectors.microsoft365.progress import CLOSED, NOWHERE, Folder, FolderTree
from ingestion.sources.connectors.protocol import ListedItem

Identifier = Annotated[str, Field(pattern=r"^[A-Za-z0-9!_.,~-]{1,300}$")]
_ABOVE: Final = ("", ".", "..")


class Site(BaseModel):
    id: Identifier
    web_url: Annotated[str, Field(alias="webUrl")]

    @property
    def path(self) -> str:
        return unquote(urlsplit(self.web_url).path).strip("/")


class Drive(BaseModel):
    """A library of documents, or the OneDrive of a person."""

    id: Identifier
    name: str = ""
    web_url: Annotated[str, Field(alias="webUrl")] = ""

    def names(self, site: Site) -> set[str]:
        return {self.name, self.path_below(site)}

    def path_below(self, site: Site) -> str:
        """Its own part of the addresses of its files."""
        path, above = unquote(urlsplit(self.web_url).path).strip("/"), f"{site.path}/" if site.path else ""
        return path.removeprefix(above) if path.startswith(above) and path != above else self.name


class _FolderReference(BaseModel):
    id: str = ""


class DriveItem(BaseModel):
    """A file or a folder, or what is neither. A facet that is there, be it empty, says what it is."""

    id: Identifier
    name: str = ""
    size: int | None = None
    etag: Annotated[str, Field(alias="eTag")] = ""
    ctag: Annotated[str, Field(alias="cTag")] = ""
    parent: Annotated[_FolderReference, Field(alias="parentReference")] = _FolderReference()
    file: Any = None
    folder: Any = None
    root: Any = None
    deleted: Any = None
    package: Any = None
    remote: Annotated[Any, Field(alias="remoteItem")] = None
    malware: Any = None
    sharing_changed: Annotated[Any, Field(alias="@microsoft.graph.sharedChanged")] = None

    @property
    def is_folder(self) -> bool:
        return self.file is None and not (self.folder is None and self.root is None and self.package is None)

    @property
    def is_file(self) -> bool:
        """What others share with this drive is no file of it, and what is infected is not handed out."""
        return self.file is not None and self.remote is None and self.malware is None and self._is_named

    @property
    def _is_named(self) -> bool:
        return self.name not in _ABOVE and "/" not in self.name

    @property
    def version(self) -> str:
        """Another one where the content is, not where the file is renamed or moved."""
        return self.ctag or self.etag

    @property
    def as_folder(self) -> Folder:
        """Notebooks of OneNote and folders of others are closed: what is in them is not read."""
        if self.root is not None:
            return Folder(parent="", name="")
        opens = self.package is None and self.remote is None and self._is_named
        return Folder(parent=self.parent.id or NOWHERE, name=self.name if opens else CLOSED)


def files_of(drive: Drive, prefix: str, items: Iterable[DriveItem], tree: FolderTree) -> Iterator[ListedItem]:
    """The files under the folders of `tree`; what lies in none of them, or in a closed one, is left out."""
    for item in items:
        folder = tree.path(item.parent.id) if item.is_file and item.deleted is None else None
        if folder is not None:
            path = "/".join(part for part in (prefix, folder, item.name) if part)
            yield ListedItem(path=path, version=item.version, size=item.size, identity=f"{drive.id}/{item.id}")
