"""A source as its reader gives it: the settings of its row turned into a reader's, document by document."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from django.utils.translation import gettext as _

from ingestion.errors import SourceRefused
from ingestion.models import Source
from ingestion.services.files.archives import with_archives
from ingestion.services.syncing.connecting import connect_source, cursor_of, reading_options
from ingestion.sources import (
    CrawlOptions,
    FeedFields,
    FeedOptions,
    FetchedDocument,
    FolderOptions,
    Known,
    Outcome,
    count_files,
    crawl,
    read_feed,
    read_folder,
    read_page,
    read_sitemap,
)
from ingestion.sources.connectors import KINDS, plan_connector, read_connector
from ingestion.sources.types import Moved, ReadingStep, Stopped
from knowledgetree.conf import rag_settings
from knowledgetree.credentials import Credential
from knowledgetree.fetching import web_fetcher

WEB = frozenset({Source.Kind.PAGE, Source.Kind.SITE, Source.Kind.SITEMAP})


def outcomes(source: Source, *, known: Mapping[str, Known], stopped: Stopped) -> Iterator[ReadingStep]:
    """Each under the URI of its document. `known` by URI. Raises SourceRefused for a folder that is not allowed or
    a key that is not known, FetchError for a place that no connector can be made for.
    """
    if source.kind in KINDS or source.kind == Source.Kind.FOLDER:
        return with_archives(partial(_files_of, source, stopped=stopped), known=known)
    if source.kind == Source.Kind.FEED:
        options = feed_options(source)
        return read_feed(source.location, fetcher=web_fetcher(), options=options, known=known, stopped=stopped)
    crawling = crawl_options(source)
    if source.kind == Source.Kind.PAGE:
        return read_page(source.location, fetcher=web_fetcher(), options=crawling, known=known)
    read = read_sitemap if source.kind == Source.Kind.SITEMAP else crawl
    return read(source.location, fetcher=web_fetcher(), options=crawling, known=known, stopped=stopped)


def planned_outcomes(source: Source, *, known: Mapping[str, Known]) -> Iterator[ReadingStep]:
    """What `outcomes` would give, as far as a listing tells. Raises SourceRefused for kinds that have none, and as
    `outcomes` does.
    """
    if source.kind not in KINDS:
        raise SourceRefused(_("Only places that are listed can be tried; this source is known by reading it."))
    options, connector = reading_options(source), connect_source(source)
    return with_archives(
        lambda asked: plan_connector(connector, options=options, known=asked, cursor=cursor_of(source)), known=known
    )


def _files_of(source: Source, known: Mapping[str, Known], *, stopped: Stopped) -> Iterator[ReadingStep]:
    if source.kind == Source.Kind.FOLDER:
        return _of_folder(source, known, stopped)
    return read_connector(
        connect_source(source), options=reading_options(source), known=known, cursor=cursor_of(source), stopped=stopped
    )


def expected(source: Source) -> int:
    """How many outcomes there will be at least, 0 where nobody knows."""
    return count_files(allowed_folder(source.location)) if source.kind == Source.Kind.FOLDER else 0


def crawl_options(source: Source) -> CrawlOptions:
    return CrawlOptions(
        max_pages=source.max_pages,
        max_depth=source.max_depth,
        delay=source.delay,
        include=tuple(source.include),
        exclude=tuple(source.exclude),
        robots=source.obey_robots,
    )


def feed_options(source: Source) -> FeedOptions:
    """`Source.options`: {fields: FeedFields, complete, full_text, attachments: bool, key: name of a key}. Raises as
    `feed_credential`.
    """
    told = source.options
    return FeedOptions(
        fields=FeedFields(**told.get("fields", {})),
        complete=told.get("complete", False),
        full_text=told.get("full_text", False),
        attachments=told.get("attachments", False),
        delay=source.delay,
        robots=source.obey_robots,
        credential=feed_credential(key=told.get("key", ""), location=source.location),
    )


def feed_credential(*, key: str, location: str) -> Credential | None:
    """The key of this name, None for "". Raises SourceRefused for one that is not known or is for another server."""
    if not key:
        return None
    credential = rag_settings().ingestion.feed_keys.get(key)
    if credential is None:
        raise SourceRefused(
            _("There is no key %(name)s on this server.") % {"name": repr(key)},
            remedy=_("The administrator of the server sets keys with FEED_KEYS."),
        )
    if not credential.is_for(location):
        raise SourceRefused(
            _("The key %(name)s is for %(origin)s alone.") % {"name": repr(key), "origin": credential.origin},
            remedy=_("Choose another key, or an address of that server."),
        )
    return credential


def allowed_folder(location: str) -> Path:
    """The folder, without links, if it is below one that the settings allow. Raises SourceRefused."""
    folder = Path(location)
    roots = [Path(root).resolve() for root in rag_settings().ingestion.folders]
    if not folder.is_absolute():
        raise SourceRefused(_("%(path)s is no absolute path.") % {"path": location}, remedy=_roots(roots))
    resolved = folder.resolve()
    if not any(resolved.is_relative_to(root) for root in roots):
        raise SourceRefused(
            _("The folder %(path)s is not among those that may be read.") % {"path": location}, remedy=_roots(roots)
        )
    return resolved


def _roots(roots: list[Path]) -> str:
    if not roots:
        return _("The administrator of the server allows folders with SOURCE_FOLDERS.")
    return _("Choose a folder in: %(roots)s.") % {"roots": ", ".join(map(str, roots))}


def _of_folder(source: Source, known: Mapping[str, Known], stopped: Stopped) -> Iterator[Outcome]:
    """A file's URI is its path from the allowed folder on, which two sources share only where they share the file."""
    folder = allowed_folder(source.location)
    root = next(r for r in map(Path.resolve, map(Path, rag_settings().ingestion.folders)) if folder.is_relative_to(r))
    prefix = f"{(root.name / folder.relative_to(root)).as_posix()}/"
    limit = rag_settings().ingestion.max_bytes
    options = FolderOptions(include=tuple(source.include), exclude=tuple(source.exclude), max_bytes=limit)
    inside = {uri.removeprefix(prefix): version for uri, version in known.items() if uri.startswith(prefix)}
    for outcome in read_folder(folder, options=options, known=inside, stopped=stopped):
        if isinstance(outcome, FetchedDocument | Moved) and outcome.former:
            outcome = replace(outcome, former=f"{prefix}{outcome.former}")
        yield replace(outcome, uri=f"{prefix}{outcome.uri}")
