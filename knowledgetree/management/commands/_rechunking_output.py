"""What `reembed --rechunk` prints, in Polish."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import Progress

from ingestion.models import Job, Rechunking
from ingestion.renewal.rechunking.state import RechunkingState, part_states
from knowledgetree.management.commands._reembedding_output import clock, progress_bar

_Status = Rechunking.Status
_WORDS: dict[str, str] = {
    _Status.RUNNING: "w toku",
    _Status.PAUSED: "wstrzymana",
    _Status.FAILED: "nieudana",
    _Status.DONE: "zakończona",
    _Status.ROLLED_BACK: "cofnięta",
}
_STAGES: dict[str, str] = {
    Job.Stage.WAITING: "Oczekiwanie",
    Job.Stage.CHUNKING: "Dzielenie na fragmenty",
    Job.Stage.MEASURING: "Zbiór wzorcowy",
}


def rechunking_lines(state: RechunkingState) -> Iterator[str]:
    one = state.rechunking
    word = "w toku, wraca poprzedni podział" if state.running and one.backwards else _WORDS[one.status]
    yield f"{one}  {word}, dokumenty: {one.done} z {one.total}"
    for part in part_states(one):
        yield f"    {part.collections}: {part.before} → {part.after}"
    if state.ends:
        yield f"    koniec około {clock(state.ends)}"
    if one.kept:
        yield f"    {_kept_words(one)}"
    if scores := _score_words(one):
        yield f"    {scores}"
    for text in filter(None, (one.verdict, one.error)):
        yield f"    ! {text}"


def outcome_lines(rechunking: Rechunking) -> Iterator[str]:
    """How it ended, and what can be done next."""
    one = rechunking
    if one.verdict:
        yield one.verdict
    if one.status == _Status.ROLLED_BACK and not one.started:
        yield "Cofnięto, zanim cokolwiek się zmieniło."
        return
    if one.status == _Status.ROLLED_BACK:
        yield f"Wrócił poprzedni podział: dokumenty {one.done} z {one.total}."
    elif one.status == _Status.DONE:
        yield f"Gotowe: dokumenty {one.done} z {one.total}. Cofnięcie: reembed --rechunk --roll-back"
    elif one.status == _Status.PAUSED:
        yield f"Wstrzymano: dokumenty {one.done} z {one.total}. Dalej: reembed --rechunk --resume"
    else:
        yield f"Zadanie przerwano: dokumenty {one.done} z {one.total}. Dalej: reembed --rechunk --resume"
    if scores := _score_words(one):
        yield scores
    if one.kept:
        yield _kept_words(one)
    if one.error:
        yield one.error


def rechunking_values(state: RechunkingState) -> dict[str, Any]:
    """As JSON shows it."""
    one = state.rechunking
    return {
        "id": one.pk,
        "status": one.status,
        "backwards": one.backwards,
        "collections": {
            part.collection.slug: {"before": part.before, "after": part.after}
            for part in one.parts.select_related("collection")
        },
        "done": one.done,
        "total": one.total,
        "kept": one.kept,
        "unsplit": one.unsplit,
        "rate": state.rate,
        "ends": state.ends.isoformat() if state.ends else None,
        "gate": one.gate,
        "score_before": one.score_before,
        "score_after": one.score_after,
        "verdict": one.verdict,
        "error": one.error,
    }


def _score_words(one: Rechunking) -> str:
    if one.score_before is None or one.score_after is None:
        return ""
    return f"nDCG@10 na zbiorze {one.gate}: {one.score_before:.3f} przed, {one.score_after:.3f} po."


def _kept_words(one: Rechunking) -> str:
    return (
        f"Bez zmian zostały dokumenty z fragmentami poprawionymi lub wyłączonymi ręcznie: {one.kept}. "
        "Podział cofnąłby te poprawki; jeśli są zbędne, przywróć fragmenty w panelu i uruchom to ponownie."
    )


@contextmanager
def rechunking_bar(*, quiet: bool) -> Iterator["RechunkingBar"]:
    with progress_bar(quiet=quiet) as bar:
        yield RechunkingBar(bar)


class RechunkingBar:
    """Shows a job's stage, how many documents are done and when it ends."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task = bar.add_task("Dokumenty", total=None, end="")

    def show(self, job: Job, state: RechunkingState) -> None:
        one = state.rechunking
        back = " (wraca poprzedni podział)" if one.backwards else ""
        self._bar.update(
            self._task,
            description=_STAGES.get(job.stage, job.get_stage_display()) + back,
            completed=one.done,
            total=one.total or None,
            end=f"koniec około {clock(state.ends)}" if state.ends else "",
        )
