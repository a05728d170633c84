"""What `reembed` prints about spaces and their filling."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.reembedding.state import SpaceState, space_state
from knowledgetree.console import ProgressBar, clock

STAGES = {
    Job.Stage.WAITING: gettext_lazy("Waiting"),
    Job.Stage.EMBEDDING: gettext_lazy("Computing vectors"),
    Job.Stage.INDEXING: gettext_lazy("Building the index"),
    Job.Stage.CHUNKING: gettext_lazy("Splitting into chunks"),
    Job.Stage.MEASURING: gettext_lazy("Golden set"),
}


def state_lines(states: Sequence[SpaceState]) -> Iterator[str]:
    for state in states:
        space = state.space
        counts = {"done": state.progress.done, "total": state.progress.total, "share": 100 * state.progress.share}
        chunks = _("chunks: %(done)d of %(total)d (%(share).0f%%)") % counts
        sentences = _(", with sentences") if space.sentence_vectors else ""
        dimension = _("dimension %(n)d") % {"n": space.dimension}
        yield f"{space.name:<28} {state_word(space):<24} {chunks}"
        yield f"    {space.embedder}: {space.model}, {dimension}{sentences}"
        if state.ends:
            yield f"    {ends_about(state)}"
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
        return _("active")
    if space.status == EmbeddingSpace.Status.RETIRED:
        return _("retired")
    if space.paused:
        return _("paused")
    return _("being built, to be activated") if space.activate_when_full else _("being built")


def ends_about(state: SpaceState) -> str:
    return _("ends about %(when)s") % {"when": clock(state.ends)} if state.ends else ""


def show_filling(bar: ProgressBar, job: Job) -> None:
    """A job's stage, how far it is and when it ends."""
    if job.space:
        state = space_state(job.space)
        bar(state.progress.done, state.progress.total, doing=stage_word(job), note=ends_about(state))


def stage_word(job: Job) -> str:
    return str(STAGES.get(Job.Stage(job.stage), job.get_stage_display()))
