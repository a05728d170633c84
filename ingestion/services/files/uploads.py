"""Files that people and programs send. A name does not say whether one is a new version or another document: we ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Unpack

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.models import Collection, Document
from ingestion.models.descriptions import DescribedFields
from ingestion.models.viewers import Viewer
from ingestion.selectors.clearance import cleared
from ingestion.services.editing import edit_document
from ingestion.services.files.arrivals import Arrival, file_name_of, hold_names, take_in
from ingestion.services.files.originals import Content, as_file, checksum_of, without_orphan
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import record


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """What its sender says a file is: a new version of the document `version_of`; `another` document, whatever is
    called so already; the one at `uri`, new or not. Neither: a new document, unless that is in doubt.
    """

    version_of: int | None = None
    another: bool = False
    uri: str = ""


UNSAID = Purpose()
_SHOWN = 20  # candidates; a crawled site has hundreds of files with the name index.html


class NameTaken(IngestionError):
    """Whether it is a new version of one of `candidates` or another document, its sender must say."""

    code = "name_taken"
    status = 409

    def __init__(self, name: str, candidates: Sequence[Document]) -> None:
        super().__init__(
            _("The collection has a document of the name %(name)s with other content.") % {"name": name},
            remedy=_("Say whether the file is a new version of it or another document."),
        )
        self.candidates = candidates


class NoSuchDocument(IngestionError):
    code = "no_such_document"
    status = 422


def take_upload(
    *,
    collection: Collection,
    name: str,
    content: Content,
    author: Viewer,
    purpose: Purpose = UNSAID,
    wishes: DescribedFields | None = None,
    **said: Unpack[DescribedFields],
) -> Arrival:
    """Take a file in as what it is for. Content that a document of the collection has already is that document.

    `wishes` are the sender's as an editor's and stay, unlike what is `said`. Raises NameTaken where the purpose is in
    doubt, NoSuchDocument for a version of what is not in the collection, and what `take_in` and `edit_document` raise;
    nothing is stored then.
    """
    name, file = file_name_of(name), as_file(content)
    checksum = checksum_of(file)
    with without_orphan(checksum):
        hold_names(collection)
        uri, name = _place(_Sender(collection=collection, author=author), name, checksum, purpose)
        arrival = take_in(
            collection=collection, name=name, content=file, uri=uri, author=author, from_archive=True, **said
        )
        if wishes:
            edit_document(document=arrival.document, changes=wishes)
        if arrival.outcome != "unchanged":
            record(AuditEntry.Action.CREATE, viewer=author, outcome=arrival.outcome, documents=[arrival.document.pk])
        return arrival


@dataclass(frozen=True, slots=True, kw_only=True)
class Alike:
    """What of a collection a file may be: the document that has its content, else those that have its name."""

    same: Document | None = None
    candidates: Sequence[Document] = ()


def alike(collection: Collection, name: str, checksum: str, *, author: Viewer) -> Alike:
    """The last changed candidates first, of those that `author` may read. Without a `checksum` of the content the name
    alone is looked at.
    """
    documents = Document.objects.filter(cleared(author), collection=collection)
    if checksum and (same := documents.filter(checksum=checksum).order_by("pk").first()):
        return Alike(same=same)
    return Alike(candidates=list(documents.filter(Q(file_name__iexact=name) | Q(uri=name))[:_SHOWN]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sender:
    """Who sends a file where. A document that they may not read is none that they bring a version of."""

    collection: Collection
    author: Viewer

    def documents(self) -> QuerySet[Document]:
        return Document.objects.filter(cleared(self.author), collection=self.collection)

    def may_write_at(self, uri: str) -> bool:
        there = Document.objects.filter(collection=self.collection, uri=uri)
        return not there.exists() or self.documents().filter(uri=uri).exists()


def _place(sender: _Sender, name: str, checksum: str, purpose: Purpose) -> tuple[str, str]:
    """The URI and the file name under which the file is taken in."""
    collection = sender.collection
    if purpose.version_of is not None:
        document = sender.documents().filter(pk=purpose.version_of).first()
        if document is None:
            raise NoSuchDocument(_("The collection has no document %(pk)s.") % {"pk": purpose.version_of})
        return document.uri, name
    if purpose.uri:
        if not sender.may_write_at(purpose.uri):
            raise NameTaken(name, [])
        return purpose.uri, name
    found = alike(collection, name, checksum, author=sender.author)
    if found.same:
        return found.same.uri, found.same.file_name
    if found.candidates and not purpose.another:
        raise NameTaken(name, found.candidates)
    return free_uri(collection, name), name


def free_uri(collection: Collection, wanted: str) -> str:
    """The URI, or as file managers do it with a number: "regulamin (2).pdf"."""
    path, number, uri = PurePosixPath(wanted), 1, wanted
    while Document.objects.filter(collection=collection, uri=uri).exists():
        number += 1
        uri = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
    return uri
