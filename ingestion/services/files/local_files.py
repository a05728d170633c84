"""Files of this machine that a command takes in. Each is known by its place, so that it finds its document again and a
file of another place with the same name is not taken for a new version of it.
"""

from pathlib import Path
from typing import Literal

from django.core.files.base import File

from ingestion.models import Collection, Document
from ingestion.services.files.arrivals import PLACE, Arrival, take_in
from ingestion.services.files.uploads import NameTaken, free_uri

WhenTaken = Literal["ask", "version", "another"]


class LocalFiles:
    """Takes files into one collection; of another file under a known name `when_taken` says what it is."""

    def __init__(self, collection: Collection, *, when_taken: WhenTaken = "ask") -> None:
        self._collection, self._when_taken = collection, when_taken
        placed = collection.documents.exclude(**{f"given__{PLACE}": None})
        self._uris: dict[str, str] = dict(placed.values_list(f"given__{PLACE}__path", "uri"))

    def take(self, path: Path, *, uri: str, enqueue: bool) -> Arrival:
        """Under its `uri`, unless another document has that. Raises NameTaken, OSError and what `take_in` raises."""
        place = str(path.resolve())
        uri = self._uris.get(place) or self._uri(uri, place, path.name)
        self._uris[place] = uri
        with File(path.open("rb")) as content:
            return take_in(
                collection=self._collection, name=path.name, content=content, uri=uri, place=place, enqueue=enqueue
            )

    def _uri(self, uri: str, place: str, name: str) -> str:
        document = self._collection.documents.filter(uri=uri).first()
        if document is None or self._when_taken == "version" or not _is_elsewhere(document, place):
            return uri
        if self._when_taken == "ask":
            raise NameTaken(name, [document])
        return free_uri(self._collection, uri)


def _is_elsewhere(document: Document, place: str) -> bool:
    """Whether it is of another file: of one that still is where it was, or of one that a person sent."""
    if former := document.given.get(PLACE):
        return bool(former["path"] != place and Path(former["path"]).exists())
    newest = document.versions.first()
    return newest is not None and newest.author_id is not None
