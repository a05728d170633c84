"""What `--dataset` means: a folder or file, read anew and indexed where it changed, or the name of a stored set."""

import os
import re
from pathlib import Path
from time import perf_counter

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from ingestion.models import Collection
from ingestion.services.corpora import index_corpus, read_corpus
from knowledgetree.console import Command, number
from rag.evaluation.datasets.beir import CORPUS, read_folder
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import read_questions
from rag.evaluation.datasets.shipped_sets import SHIPPED_SETS, store_shipped_set
from rag.models import EvaluationDataset

_PROCESSES = min(2, os.cpu_count() or 1)  # each holds dictionaries; more than two wait for PostgreSQL


def dataset_called(reference: str, command: Command) -> EvaluationDataset:
    """Raises CommandError, naming the known sets, and InvalidQuestionSet. `command` says what was indexed."""
    if reference in SHIPPED_SETS:
        return store_shipped_set(reference)
    path = Path(reference).expanduser()
    if path.is_dir():
        return _store_folder(path, command)
    if path.is_file():
        return store_dataset(name=path.stem, questions=list(read_questions(path)))
    stored = EvaluationDataset.objects.select_related("collection").filter(name=reference).first()
    if stored is None:
        known = ", ".join(sorted({*SHIPPED_SETS, *EvaluationDataset.objects.values_list("name", flat=True)}))
        raise CommandError(
            _("There is no file, folder or set “%(name)s”. Known sets: %(known)s.")
            % {"name": reference, "known": known}
        )
    return stored


def _store_folder(path: Path, command: Command) -> EvaluationDataset:
    questions = read_folder(path)
    entries = list(read_corpus(path / CORPUS))
    name = path.resolve().name
    collection, _is_new = Collection.objects.get_or_create(
        slug=_slug(name),
        defaults={"name": _("Evaluation: %(name)s") % {"name": name}, "visibility": Collection.Visibility.RESTRICTED},
    )
    started = perf_counter()
    with command.progress_bar(_("Indexing")) as progress:
        report = index_corpus(collection=collection, entries=entries, progress=progress, processes=_PROCESSES)
    seconds = perf_counter() - started
    speed = _(", chunks a second: %(n).0f") % {"n": report.chunks / seconds} if report.chunks else ""
    counts = {"new": report.indexed, "unchanged": report.unchanged, "removed": report.removed}
    command.say(
        _("Index: new documents %(new)d, unchanged %(unchanged)d, removed %(removed)d") % counts
        + f" ({number(seconds, 1)} s{speed})"
    )
    return store_dataset(name=name, questions=questions, collection=collection)


def _slug(name: str) -> str:
    return f"eval-{re.sub(r'[^a-z0-9-]+', '-', name.lower()).strip('-')}"[:80]
