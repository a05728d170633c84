"""What `--dataset` means: a folder or file, read anew and indexed where it changed, or the name of a stored set."""

import re
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from django.conf import settings
from django.core.management.base import CommandError

from ingestion.models import Collection
from ingestion.services.corpora import index_corpus, read_corpus
from knowledgetree.management.commands._progress_bar import progress_bar
from rag.evaluation.datasets.beir import CORPUS, read_folder
from rag.evaluation.datasets.dataset_storage import store_dataset
from rag.evaluation.datasets.questions import read_questions
from rag.management.commands._evaluation_output import number
from rag.models import EvaluationDataset

# Sets that come with the program, by the name they are known under.
_SHIPPED = {"urzad": settings.BASE_DIR / "fixtures/urzad/questions.jsonl"}


def dataset_called(reference: str, *, quiet: bool, say: Callable[[str], None]) -> EvaluationDataset:
    """Raises CommandError, naming the known sets, and InvalidQuestionSet. `say` is told what was indexed."""
    path = Path(_SHIPPED.get(reference, reference)).expanduser()
    if path.is_dir():
        return _folder(path, quiet=quiet, say=say)
    if path.is_file():
        name = reference if reference in _SHIPPED else path.stem
        return store_dataset(name=name, questions=list(read_questions(path)))
    stored = EvaluationDataset.objects.select_related("collection").filter(name=reference).first()
    if stored is None:
        known = ", ".join(EvaluationDataset.objects.values_list("name", flat=True)) or "urzad"
        raise CommandError(f"Nie ma pliku, folderu ani zbioru „{reference}”. Znane zbiory: {known}.")
    return stored


def _folder(path: Path, *, quiet: bool, say: Callable[[str], None]) -> EvaluationDataset:
    questions = read_folder(path)
    entries = list(read_corpus(path / CORPUS))
    name = path.resolve().name
    collection, _created = Collection.objects.get_or_create(
        slug=_slug(name),
        defaults={"name": f"Ewaluacja: {name}", "visibility": Collection.Visibility.RESTRICTED},
    )
    started = perf_counter()
    with progress_bar("Indeksowanie", quiet=quiet) as progress:
        report = index_corpus(collection=collection, entries=entries, progress=progress)
    seconds = perf_counter() - started
    speed = f", fragmenty na sekundę: {report.chunks / seconds:.0f}" if report.chunks else ""
    say(
        f"Indeks: nowe dokumenty {report.indexed}, bez zmian {report.unchanged}, usunięte {report.removed} "
        f"({number(seconds, 1)} s{speed})"
    )
    return store_dataset(name=name, questions=questions, collection=collection)


def _slug(name: str) -> str:
    return f"eval-{re.sub(r'[^a-z0-9-]+', '-', name.lower()).strip('-')}"[:80]
