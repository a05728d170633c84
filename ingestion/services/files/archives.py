"""Archives that come in: their files are taken, each as a document of its own, in the place of the archive."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ingestion.models import Collection
from ingestion.models.descriptions import DescribedFields
from ingestion.models.viewers import Viewer
from ingestion.reading.sandbox import ParsingLimits
from ingestion.reading.sandbox.unpacking import BETWEEN, is_archive, unpacked_files
from ingestion.services.files.arrivals import Arrival, file_name_of
from ingestion.services.files.uploads import Purpose, take_upload
from ingestion.sources.archives import read_archives
from ingestion.sources.types import Known, ReadingStep
from ingestion.types import ArchivedFile
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError

__all__ = ["ArchivedArrival", "is_archive", "take_archive", "unpack", "with_archives"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedArrival:
    """A file of an archive: how it came in as a document, or the `error` that says why it did not."""

    name: str
    arrival: Arrival | None = None
    error: str = ""


def take_archive(
    *, collection: Collection, name: str, content: bytes, author: Viewer, wishes: DescribedFields
) -> Iterator[ArchivedArrival]:
    """Take in each file of a ZIP under `name!path`, so that the same archive again brings new versions.

    One that is refused does not stop the others. Raises ExtractionError for an archive that cannot be opened.
    """
    archive = file_name_of(name)
    for file in unpack(content):
        place = f"{archive}{BETWEEN}{file.path}"
        if file.trouble or not file.content:
            if file.trouble:
                yield ArchivedArrival(name=place, error=file.trouble)
            continue
        try:
            arrival = take_upload(
                collection=collection, name=file_name_of(file.path.replace(BETWEEN, "/")), content=file.content,
                author=author, purpose=Purpose(uri=place), wishes=wishes,
            )  # fmt: skip
        except KnowledgeTreeError as error:
            yield ArchivedArrival(name=place, error=str(error))
        else:
            yield ArchivedArrival(name=place, arrival=arrival)


def with_archives(
    read: Callable[[Mapping[str, Known]], Iterator[ReadingStep]], *, known: Mapping[str, Known]
) -> Iterator[ReadingStep]:
    """What a source gives, with the files of archives in the place of these, see `read_archives`."""
    return read_archives(read, known=known, is_archive=is_archive, unpack=unpack)


def unpack(content: bytes) -> Iterator[ArchivedFile]:
    """The files of a ZIP, opened in the reading process under this installation's limits. Raises ExtractionError."""
    settings = rag_settings().ingestion
    limits = ParsingLimits(
        seconds=settings.parse_seconds,
        total_seconds=settings.parse_total_seconds,
        memory_mb=settings.parse_memory_mb,
    )
    return unpacked_files(content, limits=limits, max_bytes=settings.max_bytes)
