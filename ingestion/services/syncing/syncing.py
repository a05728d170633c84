"""What the outcomes of reading a source do to its documents."""

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from django.db import DataError, IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from ingestion.models import Document, Source, SourceAddress, SyncReport
from ingestion.models.descriptions import DescribedFields
from ingestion.services.documents import add_document, change_file_name, restore_document
from ingestion.services.files.arrivals import PastContent, file_name_of, hold_names
from ingestion.services.syncing import histories
from ingestion.services.syncing.connecting import kept_cursor, mirrors_rights
from ingestion.services.syncing.gone_documents import is_archived, settle_gone
from ingestion.services.syncing.mirroring import Mirror
from ingestion.services.syncing.reading import WEB, expected, outcomes
from ingestion.services.syncing.tally import Tally, unknown_readers
from ingestion.sources import FetchedDocument, FetchFailure, Gone, Known, Skipped, Unchanged
from ingestion.sources.types import Moved, Principals, Reached, ReadingStep, Revision, SkipReason, Stopped, Unread
from ingestion.types import Progress
from knowledgetree.errors import KnowledgeTreeError

_State = SourceAddress.State
_GONE = {_State.WAITING, _State.ARCHIVED, _State.RETAINED}
_READ = ("report", "outcome", "state", "etag", "identity", "last_modified", "checksum", "links", "readers")
_MAX_URI = 2000  # bytes: what an index of PostgreSQL takes is 2,704
_UNWANTED: set[SkipReason] = {"excluded", "noindex"}


def synchronise(
    *, report: SyncReport, stopped: Stopped, progress: Progress, get_on: Callable[[], None] = lambda: None
) -> Unread:
    """Read the source of `report` and make its documents those that are there. What it did not give.

    Stopped before the end it can be called again with the same report and goes on. `stopped` stays true once it is;
    `progress` may raise. `get_on` is called whenever something was done for good. Raises what
    `syncing.reading.outcomes` raises.
    """
    run = _Synchronisation(report)
    run.forget_cursor_for_newcomers()
    total = max(len(run.rows), expected(report.source))
    try:
        for step in outcomes(report.source, known=run.known(), stopped=stopped):
            if run.take(step):
                get_on()
            progress(run.tally.total, max(total, run.tally.total))
            if stopped():
                break
        if not stopped():
            settle_gone(run.gone, rows=run.rows, report=report, tally=run.tally)
            run.keep_cursor()
    finally:
        run.leave_marks()
        run.tally.write(report)
    return run.tally.unread


class _Synchronisation:
    """One reading. What this synchronisation did before it was interrupted is counted as what it was then."""

    def __init__(self, report: SyncReport) -> None:
        self.report, self.source = report, report.source
        self.tally = Tally()
        self.rows = {row.uri: row for row in self.source.addresses.all()}
        self._read: list[int] = []  # rows read again and found unchanged
        self.gone: list[SourceAddress] = []
        self._mirror, self._mirrors = Mirror(), mirrors_rights(report.source)
        self._reached: Reached | None = None
        self._strangers = unknown_readers(report) if self._mirrors else frozenset()

    def known(self) -> dict[str, Known]:
        return {uri: self._known(row) for uri, row in self.rows.items()}

    def _known(self, row: SourceAddress) -> Known:
        if row.state == _State.UNREAD:
            return Known()
        return Known(
            etag=row.etag,
            identity=row.identity,
            last_modified=row.last_modified,
            checksum=row.checksum,
            links=tuple(row.links),
            fresh=self._done(row) and row.state == _State.CURRENT and self.source.kind in WEB,
            gone=row.state in _GONE,
        )

    def _done(self, row: SourceAddress) -> bool:
        """Whether this synchronisation read it already."""
        return row.report_id == self.report.pk

    def forget_cursor_for_newcomers(self) -> None:
        """Where somebody is known now whom the source named before, what did not change is listed too, for them."""
        if self.source.cursor and Mirror().knows(self._strangers):
            self.source.cursor = ""
            Source.objects.filter(pk=self.source.pk).update(cursor="")

    def take(self, outcome: ReadingStep) -> bool:
        """Whether a document was written."""
        if isinstance(outcome, Reached):
            self._reached = outcome
            return False
        row = self.rows.get(outcome.uri)
        if isinstance(outcome, Unchanged):
            return row is not None and self._unchanged(row, outcome)
        if isinstance(outcome, FetchedDocument):
            return self._take_found(row, outcome)
        if isinstance(outcome, Moved):
            return self._take_unread(outcome)
        if isinstance(outcome, FetchFailure):
            self._note_failure(row, outcome)
        elif isinstance(outcome, Gone):
            self._note_gone(row)
        elif isinstance(outcome, Skipped):
            self._note_skipped(row, outcome)
        return False

    def keep_cursor(self) -> None:
        """The next listing begins where this one ended, unless something of it is still to be read."""
        if self._reached is not None and not self.tally.may_change:
            cursor = kept_cursor(self._reached.cursor)
            Source.objects.filter(pk=self.source.pk).exclude(cursor=cursor).update(cursor=cursor)

    def _unchanged(self, row: SourceAddress, outcome: Unchanged) -> bool:
        if row.refused:
            self._skip(row.uri, "deleted")
            return False
        restored, version = False, outcome.version
        if self._mirrors or row.readers:
            self._give_rights(row, outcome.readers)
        if row.state != _State.CURRENT or version != self._known(row):
            restored = self._back(row, version)
        elif not self._done(row):
            self._read.append(row.pk)
        self.tally.count(row.outcome if self._done(row) else "unchanged", row.uri, document=row.document_id)
        return restored

    @transaction.atomic
    def _back(self, row: SourceAddress, version: Known) -> bool:
        """There, as we have it; whether its document had to be taken out of the archive."""
        restored = row.state == _State.ARCHIVED and is_archived(row)
        if restored:
            restore_document(document=Document.objects.get(pk=row.document_id or 0))
        self._remember(row, version, "restored" if restored else "unchanged")
        return restored

    @transaction.atomic
    def _give_rights(self, row: SourceAddress, principals: Principals | None) -> None:
        """Without a look at the document where it has them already."""
        before = row.readers
        row.readers = self._mirror.give(
            lambda: Document.objects.get(pk=row.document_id or 0), principals, before=before
        )
        if row.readers != before:
            row.save(update_fields=["readers"])

    def _take_found(self, row: SourceAddress | None, found: FetchedDocument) -> bool:
        if len(found.uri.encode()) > _MAX_URI:
            self.tally.fail(FetchFailure(uri=found.uri[:500], code="address", message=_("The address is too long.")))
            return False
        try:
            with transaction.atomic():
                return self._keep_document(row, found)
        except KnowledgeTreeError as error:
            self._note_failure(row, FetchFailure.because(found.uri, error))
        except (IntegrityError, DataError):
            words = _("It could not be written; it is tried again at the next synchronisation.")
            self._note_failure(row, FetchFailure(uri=found.uri, code="unwritable", message=words))
        return False

    def _keep_document(self, row: SourceAddress | None, found: FetchedDocument) -> bool:
        hold_names(self.source.collection)
        row = row or self._take_along(found.former, found.uri)
        uri = {"collection": self.source.collection_id, "uri": found.uri}
        document = Document.objects.select_for_update().filter(**uri).first()
        if reason := self._objection(row, document):
            if row:
                self._remember(row, found.version, "skipped", state=row.state)
            self._skip(found.uri, reason)
            return False
        back = row is not None and row.state == _State.ARCHIVED
        result = "restored" if back else "changed" if document else "new"
        earlier, revision = histories.unknown_to(document, found, before=row.etag if row else "")
        document = self._written(found, earlier=earlier, revision=revision)
        row = row or SourceAddress(source=self.source, uri=found.uri)
        row.document = document
        if self._mirrors or row.readers:
            row.readers = self._mirror.give(lambda: document, found.readers, before=row.readers)
        self._remember(row, found.version, result, written=True)
        self.tally.count(result, found.uri, detail=found.former, document=document.pk)
        self.rows.pop(found.former, None)
        return True

    def _take_unread(self, moved: Moved) -> bool:
        """Take the document along unread; whether a document was written. Where another one stands in its new place,
        what we know of it is forgotten, so that it is read when it is asked for again.
        """
        former = self.rows.get(moved.former)
        if former is None or len(moved.uri.encode()) > _MAX_URI:
            words = _("The address is too long.") if former else _("It is read at the next synchronisation.")
            self.tally.fail(FetchFailure(uri=moved.uri[:500], code="address", message=words))
            return False
        with transaction.atomic():
            hold_names(self.source.collection)
            row = self._take_along(moved.former, moved.uri)
            if row is None:
                SourceAddress.objects.filter(pk=former.pk).update(etag="", identity="")
            else:
                self._keep_moved(row, moved)
        if row is None:
            words = _("Another document stands where it was moved to; it is read again.")
            self._note_failure(None, FetchFailure(uri=moved.uri, code="occupied", message=words, retryable=True))
            return False
        if row.refused:
            self._skip(moved.uri, "deleted")
        else:
            self.tally.count("changed", moved.uri, detail=moved.former, document=row.document_id)
        return not row.refused

    def _keep_moved(self, row: SourceAddress, moved: Moved) -> None:
        """With its readers; a file of another name is read once more, from what we keep of it."""
        self.rows.pop(moved.former, None)
        self._remember(row, moved.version, "skipped" if row.refused else "changed", state=row.state)
        if row.refused:
            return
        if self._mirrors or row.readers:
            self._give_rights(row, moved.readers)
        document, name = Document.objects.get(pk=row.document_id or 0), file_name_of(PurePosixPath(moved.uri).name)
        if document.file_name == PurePosixPath(moved.former).name and document.file_name != name:
            change_file_name(document=document, name=name)

    def _take_along(self, former: str, uri: str) -> SourceAddress | None:
        """The row of the address `former` with its document, both under `uri`; None where there is none, or another
        document stands where it came to.
        """
        row = self.rows.get(former)
        if row is None or self.source.collection.documents.filter(uri=uri).exists():
            return None
        own = Q(pk=row.document_id or 0, source=self.source)
        Document.of_all_times.filter(own | Q(earlier__document__in=Document.objects.filter(own))).update(uri=uri)
        SourceAddress.objects.filter(pk=row.pk).update(uri=uri)
        row.uri = uri
        return row

    def _objection(self, row: SourceAddress | None, document: Document | None) -> str:
        """Why an editor's will or another source forbids to write the document, in `tally.REASONS`; or ""."""
        if document is None:
            return "deleted" if row and row.refused else ""
        if document.source_id not in (None, self.source.pk):
            return "taken"
        shelved = document.status == Document.Status.ARCHIVED and (row is None or row.state != _State.ARCHIVED)
        return "shelved" if shelved else ""

    def _written(
        self, found: FetchedDocument, *, earlier: Iterable[PastContent], revision: Revision | None
    ) -> Document:
        source, told = self.source, found.told
        said: DescribedFields = {
            "title": found.title, "category": source.category, "tags": source.tags, "language": source.language,
        }  # fmt: skip
        if told:
            said |= {"valid_from": told.valid_from, "valid_to": told.valid_to, "metadata": told.metadata}
        return add_document(
            collection=source.collection,
            name=found.name,
            content=found.content,
            uri=found.uri,
            source=source,
            from_archive=True,
            earlier=earlier,
            revision=revision,
            **said,
        )

    def _note_failure(self, row: SourceAddress | None, failed: FetchFailure) -> None:
        """Pages are asked for again at the next synchronisation even if no link leads there any more."""
        uri = failed.uri
        self.tally.fail(failed, document=row.document_id if row else None)
        if row is None and self.source.kind in WEB and uri != self.source.location and len(uri.encode()) <= _MAX_URI:
            self.rows[uri] = SourceAddress.objects.create(source=self.source, uri=uri, state=_State.UNREAD)

    def _note_gone(self, row: SourceAddress | None) -> None:
        if row is None:
            return
        if row.state == _State.UNREAD:
            self.tally.fail(FetchFailure(uri=row.uri, code="no_page", message=_("There is no such page.")))
            row.delete()
        elif not row.refused:
            self.gone.append(row)

    def _note_skipped(self, row: SourceAddress | None, outcome: Skipped) -> None:
        if row and row.state == _State.UNREAD and outcome.reason not in {"limit", "given_up"}:
            row.delete()
        elif row and row.document_id and outcome.reason in _UNWANTED:
            self.gone.append(row)
            return
        self._skip(outcome.uri, outcome.reason)

    def _skip(self, uri: str, reason: str) -> None:
        row = self.rows.get(uri)
        self.tally.count("skipped", uri, detail=reason, document=row.document_id if row else None)

    def _remember(
        self,
        row: SourceAddress,
        version: Known,
        result: str,
        *,
        state: str = _State.CURRENT,
        written: bool = False,
    ) -> None:
        """Its document only where it was `written`: else an editor may be deleting it just now."""
        if not (self._done(row) and result == "unchanged"):
            row.outcome = result
        row.report, row.state = self.report, state
        row.etag, row.last_modified, row.checksum = version.etag, version.last_modified, version.checksum
        row.links, row.identity = list(version.links), version.identity
        row.save(update_fields=None if row.pk is None else [*_READ, *(["document"] if written else [])])
        self.rows[row.uri] = row

    def leave_marks(self) -> None:
        """So that a synchronisation that goes on later need not ask for these again."""
        whole = self._reached is not None and self._reached.complete
        self.tally.name_unknown(self._mirror.unknown if whole else self._mirror.unknown | self._strangers)
        if self.source.kind in WEB:
            read = SourceAddress.objects.filter(pk__in=self._read)
            read.update(report=self.report, outcome="unchanged")
