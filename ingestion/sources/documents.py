"""A fetched page as a document of a source."""

from pathlib import PurePosixPath
from urllib.parse import unquote

from ingestion.sources.addresses import path_of
from ingestion.sources.types import FetchedDocument, Known, Unchanged
from knowledgetree.charsets import declares_charset
from knowledgetree.fetching import Fetched

_MAX_NAME = 120


def document_of(
    uri: str, fetched: Fetched, *, title: str, known: Known | None, links: tuple[str, ...] = ()
) -> FetchedDocument | Unchanged:
    """Unchanged where the content is that of the known version, for servers that do not say so themselves."""
    content = _self_contained(fetched)
    said = fetched.validators
    version = Known.of(content, etag=said.etag, last_modified=said.last_modified, links=links)
    if known and known.checksum == version.checksum:
        return Unchanged(uri=uri, version=version)
    return FetchedDocument(
        uri=uri,
        title=title,
        name=_name(fetched),
        content=content,
        media_type=fetched.media_type,
        version=version,
    )


def _self_contained(fetched: Fetched) -> bytes:
    """The content, in UTF-8 where only the header of the reply said what it is written in."""
    told_by_header = fetched.charset not in {"", "utf-8"} and not declares_charset(fetched.content)
    return fetched.text.encode() if told_by_header else fetched.content


def _name(fetched: Fetched) -> str:
    """A file name whose suffix suits the type; of a page without one that of its address."""
    name = PurePosixPath(unquote(path_of(fetched.final_url))).name[-_MAX_NAME:] or "index"
    if fetched.media_type in {"text/html", "application/xhtml+xml"} and not name.endswith((".html", ".htm")):
        return f"{name}.html"
    return name
