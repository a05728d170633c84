"""What a model reads of a passage: the document where it is short, else the section that the passage stands in."""

import re
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from ingestion.models import Chunk, Document
from ingestion.models.viewers import Viewer
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record
from rag.answering.context.reading import SECTION, read_around
from rag.errors import UnknownPassage
from rag.search.retrieval.passages import load_passages
from rag.selectors.documents import ShownDocument, shown_document
from rag.selectors.scope import clearance_in, searched_collections
from rag.types import Citation, Explanation, Filters, Passage

Part = Literal["document", "section", "passage"]
_IDENTIFIER = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_ROOM = SECTION + 1_000  # with what is reckoned for its heading


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageText:
    """`found` is the passage of the id, `read` what is given of its document: `part` says which."""

    document: ShownDocument
    found: Passage
    read: Passage
    part: Part


def identifier(place: Passage | Citation) -> str:
    """The id of a passage of a document; "" for a page of the web.

    With the number of the document, so that it still leads there when the document was split anew.
    """
    return f"{place.document_id}-{place.chunk_id}" if place.origin == "document" else ""


def passage_text(viewer: Viewer, key: str) -> PassageText:
    """What `viewer` may read for an `identifier`, at most some 8,000 characters; of a document whose passages are
    others by now its beginning. Raises UnknownPassage.
    """
    if (numbers := _IDENTIFIER.fullmatch(key.strip())) is None:
        raise _unknown(key)
    try:
        document = shown_document(viewer, int(numbers[1]))
    except Document.DoesNotExist as error:
        raise _unknown(key) from error
    chunk = _chunk_of(document, int(numbers[2]))
    if chunk is None:
        raise _unknown(key)
    collections = searched_collections(viewer, Filters(collections=(document.collection.slug,)))
    clearance = clearance_in(collections, viewer)
    [found], _words = load_passages({chunk: Explanation()}, [document.collection.pk], clearance=clearance)
    record(AuditEntry.Action.READ, viewer=viewer, documents=[document.pk])
    [read] = read_around([found], collections=collections, characters=_ROOM)
    [shown] = read_around([found], collections=collections, characters=_ROOM, grown=False)
    return PassageText(document=document, found=shown, read=read, part=_part(read))


def _chunk_of(document: ShownDocument, chunk: int) -> int | None:
    """Chunk number `chunk`, if that is one of the document that is searched, else its first; None where it has none."""
    chunks = Chunk.objects.filter(document=document.pk, enabled=True)
    first = chunks.order_by("extraction", "start").values_list("pk", flat=True).first()
    return chunk if chunks.filter(pk=chunk).exists() else first


def _part(read: Passage) -> Part:
    if not read.places:
        return "passage"
    text = Chunk.objects.filter(extraction__chunks=read.chunk_id)
    left_out = text.exclude(pk__in=[place.chunk_id for place in read.places])
    return "section" if left_out.exists() else "document"


def _unknown(key: str) -> UnknownPassage:
    return UnknownPassage(_("There is no passage “%(id)s” that can be read.") % {"id": key[:40]})
