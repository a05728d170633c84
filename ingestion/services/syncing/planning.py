"""A synchronisation that is only tried: what it would do, by what the place lists."""

from collections.abc import Callable

from ingestion.models import SourceAddress, SyncReport
from ingestion.services.syncing.reading import planned_outcomes
from ingestion.services.syncing.tally import Tally
from ingestion.sources.types import FetchFailure, Known, Planned, Skipped, Stopped, Unchanged, Unread
from ingestion.types import Progress

_State = SourceAddress.State
_GONE = {_State.WAITING, _State.ARCHIVED, _State.RETAINED}


def plan_synchronisation(
    *, report: SyncReport, stopped: Stopped, progress: Progress, get_on: Callable[[], None] = lambda: None
) -> Unread:
    """Write into `report` what `synchronise` would do, and change nothing else. Nothing is fetched, so that a failure
    to read a file is not foreseen, nor a move that only its content would show: it is told as gone and new. Raises as
    `planned_outcomes` does.
    """
    tally = Tally()
    for step in planned_outcomes(report.source, known=_known(report)):
        if isinstance(step, Planned):
            tally.count(step.result, step.uri, detail=step.former)
        elif isinstance(step, Unchanged):
            tally.count("unchanged", step.uri)
        elif isinstance(step, Skipped):
            tally.count("skipped", step.uri, detail=step.reason)
        elif isinstance(step, FetchFailure):
            tally.fail(step)
        progress(tally.total, tally.total)
    tally.write(report)
    return tally.unread


def _known(report: SyncReport) -> dict[str, Known]:
    return {
        row.uri: Known(etag=row.etag, identity=row.identity, checksum=row.checksum, gone=row.state in _GONE)
        for row in report.source.addresses.exclude(state=_State.UNREAD)
    }
