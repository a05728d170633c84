"""What a place tells of the past of a document, as far as the document does not have it yet."""

import hashlib
from collections.abc import Iterator, Sequence, Set

from ingestion.models import Document
from ingestion.services.files.arrivals import PastContent
from ingestion.sources.types import EarlierContent, FetchedDocument, Revision
from knowledgetree.errors import KnowledgeTreeError


def unknown_to(
    document: Document | None, found: FetchedDocument, *, before: str
) -> tuple[Iterator[PastContent], Revision | None]:
    """The contents that come before that of `found`, the oldest first, and what brought that one.

    Of a new document all that its place tells. Else those since the newest that the document has: by its revision, or
    by what its server called the last one, `before`. Where neither is told, because much happened since or the past was
    written anew, those of later than that one whose contents the document never had.
    """
    if document is None:
        return _contents(found.earlier), found.revision
    versions = list(document.versions.values_list("revision", "checksum", "created"))
    have = {revision for revision, _checksum, _created in versions if revision}
    if found.revision is None or found.revision.key in have:
        return _contents(()), None
    known = _last_known(found.earlier, have, before)
    if known is not None:
        return _contents(found.earlier[:known]), found.revision
    last = max((created for _revision, _checksum, created in versions), default=None)
    later = [one for one in found.earlier if last and one.revision.since > last]
    return _contents(later, but={checksum for _revision, checksum, _created in versions}), found.revision


def _last_known(told: Sequence[EarlierContent], have: Set[str], before: str) -> int | None:
    by_revision = (number for number, one in enumerate(told) if one.revision.key in have)
    by_name = (number for number, one in enumerate(told) if before and one.etag == before)
    return next(by_revision, next(by_name, None))


def _contents(told: Sequence[EarlierContent], *, but: Set[str] = frozenset()) -> Iterator[PastContent]:
    """One at a time, without those of these checksums; what cannot be read is left out."""
    for one in reversed(told):
        try:
            content = one.read()
        except KnowledgeTreeError:
            continue
        if hashlib.sha256(content).hexdigest() not in but:
            yield PastContent(name=one.name, content=content, revision=one.revision)
