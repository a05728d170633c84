"""What `reembed` prints about spaces and their filling, in Polish."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.reembedding.state import SpaceState


def state_lines(states: Sequence[SpaceState]) -> Iterator[str]:
    for state in states:
        space = state.space
        counts = f"fragmenty: {state.progress.done} z {state.progress.total} ({state.progress.share:.0%})"
        sentences = ", ze zdaniami" if space.sentence_vectors else ""
        yield f"{space.name:<28} {state_word(space):<24} {counts}"
        yield f"    {space.embedder}: {space.model}, wymiar {space.dimension}{sentences}"
        if state.ends:
            yield f"    koniec około {clock(state.ends)}"
        if space.error:
            yield f"    ! {space.error}"


def state_values(state: SpaceState) -> dict[str, Any]:
    """A space as JSON shows it."""
    space = state.space
    return {
        "name": space.name,
        "status": space.status,
        "paused": space.paused,
        "embedder": space.embedder,
        "model": space.model,
        "dimension": space.dimension,
        "sentence_vectors": space.sentence_vectors,
        "done": state.progress.done,
        "total": state.progress.total,
        "share": round(state.progress.share, 4),
        "rate": state.rate,
        "ends": state.ends.isoformat() if state.ends else None,
        "error": space.error,
    }


def state_word(space: EmbeddingSpace) -> str:
    if space.status == EmbeddingSpace.Status.ACTIVE:
        return "aktywna"
    if space.status == EmbeddingSpace.Status.RETIRED:
        return "wycofana"
    if space.paused:
        return "wstrzymana"
    return "w budowie, do aktywacji" if space.activate_when_full else "w budowie"


def clock(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return local.strftime("%H:%M" if local - timezone.localtime() < timedelta(hours=20) else "%d.%m %H:%M")


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress]:
    """A bar on a terminal's stderr whose tasks have a field `end`; nothing elsewhere."""
    console = Console(stderr=True)
    console.quiet = quiet or not console.is_terminal
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TaskProgressColumn(),
        TextColumn("{task.fields[end]}"),
    )  # fmt: skip
    with Progress(*columns, console=console, transient=True) as bar:
        yield bar


@contextmanager
def filling_bar(*, quiet: bool) -> Iterator["FillingBar"]:
    with progress_bar(quiet=quiet) as bar:
        yield FillingBar(bar)


class FillingBar:
    """Shows a job's stage, how far it is and when it ends."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("Wektory", total=None, end="")

    def show(self, job: Job, state: SpaceState) -> None:
        end = f"koniec około {clock(state.ends)}" if state.ends else ""
        self._bar.update(
            self._task,
            description=_STAGES.get(job.stage, job.get_stage_display()),
            completed=state.progress.done,
            total=state.progress.total,
            end=end,
        )


_STAGES: dict[str, str] = {
    Job.Stage.WAITING: "Oczekiwanie",
    Job.Stage.EMBEDDING: "Liczenie wektorów",
    Job.Stage.INDEXING: "Budowa indeksu",
    Job.Stage.MEASURING: "Zbiór wzorcowy",
}
