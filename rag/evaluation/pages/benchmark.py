"""A benchmark as one HTML page that needs nothing else, for whoever is to see what an installation can do.

It has figures, names of program parts and of the machine; no text, question, title or name of a collection.
"""

import os
import platform
from collections.abc import Iterable

from django.db import connection
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.models import EmbeddingSpace, Job
from ingestion.selectors.sizes import DatabaseSize
from knowledgetree.console import grouped, number
from rag.evaluation.labels import SIZES
from rag.evaluation.load import IndexingReport, LoadReport
from rag.evaluation.pages.charts import BarRow, MeasuredChart, bar_chart, latency_chart
from rag.evaluation.version import program_version

_LARGEST = 12  # tables that are listed


def benchmark_page(
    report: LoadReport,
    *,
    preset: str,
    space: EmbeddingSpace | None,
    size: DatabaseSize,
    trial: IndexingReport | None,
    memory: float | None,
) -> str:
    """The page in the reader's language."""
    charts = [latency_chart(report.latency), _size_chart(size)]
    if trial:
        charts.insert(1, _indexing_chart(trial))
    return render_to_string(
        "evaluation/benchmark.html",
        {
            "made": timezone.localtime(),
            "facts": [*_facts(report, preset, space, size, trial, memory), *_machine()],
            "charts": charts,
            "tables": [
                (table.table, number(table.rows / 1e6, 1), number(table.indexes / 1e6, 1))
                for table in size.tables[:_LARGEST]
            ],
        },
    )


def _facts(
    report: LoadReport,
    preset: str,
    space: EmbeddingSpace | None,
    size: DatabaseSize,
    trial: IndexingReport | None,
    memory: float | None,
) -> Iterable[tuple[str, str]]:
    yield _("Searched passages"), grouped(size.passages)
    yield _("Preset"), preset or _("the default one")
    yield _("Embedding space"), f"{space.embedder}, {space.dimension}" if space else _("none")
    yield _("Readers side by side"), str(report.load.readers)
    yield _("Searches a second"), number(report.throughput, 1)
    yield _("Searches, of which failed"), f"{report.searches + len(report.failures)}, {len(report.failures)}"
    if memory:
        yield _("Memory of the process that searched"), f"{number(memory, 0)} MB"
    if trial:
        yield _("Indexed passages a second"), number(trial.a_second, 0)
    yield _("Database for a passage, beside texts and vectors"), f"{number(size.a_passage / 1024, 1)} KB"


def _machine() -> Iterable[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version'), current_setting('shared_buffers')")
        server, buffers = cursor.fetchone()
    yield "KnowledgeTree", program_version()
    yield "Python", f"{platform.python_version()}, {platform.system()} {platform.machine()}"
    yield "PostgreSQL", f"{server}, shared_buffers {buffers}"
    yield _("Processors"), str(os.cpu_count())


def _indexing_chart(trial: IndexingReport) -> MeasuredChart:
    rows = []
    for stage, seconds in trial.seconds.items():
        each = 1000 * seconds / trial.passages
        rows.append(BarRow(label=str(Job.Stage(stage).label), value=each, figures=number(each, 2)))
    return bar_chart(_("Indexing of a passage by stage"), "ms", rows)


def _size_chart(size: DatabaseSize) -> MeasuredChart:
    rows = []
    for kind, words in SIZES.items():
        megabytes = size.of_kind(kind) / 1e6
        rows.append(BarRow(label=str(words), value=megabytes, figures=number(megabytes, 1)))
    return bar_chart(_("The database by what it keeps"), "MB", rows)
