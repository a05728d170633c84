"""What `benchmark` prints, line by line."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from ingestion.models import Collection, Job
from ingestion.selectors import active_space
from ingestion.selectors.sizes import DatabaseSize
from knowledgetree.console import grouped, number, row
from rag.evaluation.labels import SIZES
from rag.evaluation.load import IndexingReport, LoadReport
from rag.management.commands._evaluation_output import latency_lines

_COLUMNS = (-30, 12)


def search_lines(collection: Collection, preset: str, report: LoadReport, memory: float | None) -> Iterator[str]:
    yield _("Collection %(collection)s, preset %(preset)s, embedding space %(space)s") % {
        "collection": collection.slug,
        "preset": preset or _("the default one"),
        "space": active_space() or _("none"),
    }
    pause = _(", each reads %(seconds)s s") % {"seconds": number(report.load.pause, 1)} if report.load.pause else ""
    counts = {"questions": report.searches, "failures": len(report.failures), "readers": report.load.readers}
    yield _("Questions: %(questions)d, errors: %(failures)d, readers: %(readers)d") % counts + pause
    yield ""
    yield from latency_lines(report.latency)
    yield ""
    yield _("Searches a second: %(n)s") % {"n": number(report.throughput, 1)}
    size = f"{number(memory, 0)} MB" if memory else _("the system does not tell")
    yield _("Memory of the process: %(size)s") % {"size": size}


def indexing_lines(trial: IndexingReport) -> Iterator[str]:
    yield ""
    counts = {"n": number(trial.a_second, 0), "passages": grouped(trial.passages)}
    yield _("Indexed passages a second: %(n)s (%(passages)s on trial, one process)") % counts
    for stage, seconds in trial.seconds.items():
        yield row(_COLUMNS, f"  {Job.Stage(stage).label} [ms]", number(1000 * seconds / trial.passages, 2))


def size_lines(size: DatabaseSize) -> Iterator[str]:
    yield ""
    yield _("The database [MB], %(passages)s searched passages") % {"passages": grouped(size.passages)}
    for kind, words in SIZES.items():
        yield row(_COLUMNS, f"  {words}", number(size.of_kind(kind) / 1e6, 1))
    each = {"size": f"{number(size.a_passage / 1024, 1)} KB"}
    yield _("For a passage, beside texts and vectors: %(size)s") % each
