"""What `reembed --rechunk` prints."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.models import Job, Rechunking
from ingestion.renewal.rechunking.state import RechunkingState, part_states, rechunking_state
from knowledgetree.console import ProgressBar, clock
from knowledgetree.management.commands._reembedding_output import stage_word

_Status = Rechunking.Status
_WORDS = {
    _Status.RUNNING: gettext_lazy("running"),
    _Status.PAUSED: gettext_lazy("on hold"),
    _Status.FAILED: gettext_lazy("unsuccessful"),
    _Status.DONE: gettext_lazy("completed"),
    _Status.ROLLED_BACK: gettext_lazy("rolled back"),
}


def rechunking_lines(state: RechunkingState) -> Iterator[str]:
    one = state.rechunking
    returning = state.running and one.backwards
    word = _("running, the former chunking comes back") if returning else str(_WORDS[_Status(one.status)])
    counts = {"rechunking": one, "word": word, "done": one.done, "total": one.total}
    yield _("%(rechunking)s  %(word)s, documents: %(done)d of %(total)d") % counts
    for part in part_states(one):
        yield f"    {part.collections}: {part.before} → {part.after}"
    if ends := _ends_about(state):
        yield f"    {ends}"
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
        yield _("Rolled back before anything was changed.")
        return
    yield _outcome(one) % {"done": one.done, "total": one.total}
    if scores := _score_words(one):
        yield scores
    if one.kept:
        yield _kept_words(one)
    if one.error:
        yield one.error


def _outcome(one: Rechunking) -> str:
    if one.status == _Status.ROLLED_BACK:
        return _("The former chunking is back: documents %(done)d of %(total)d.")
    if one.status == _Status.DONE:
        return _("Done: documents %(done)d of %(total)d. To roll back: reembed --rechunk --roll-back")
    if one.status == _Status.PAUSED:
        return _("On hold: documents %(done)d of %(total)d. To go on: reembed --rechunk --resume")
    return _("The job was interrupted: documents %(done)d of %(total)d. To go on: reembed --rechunk --resume")


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


def show_rechunking(bar: ProgressBar, job: Job) -> None:
    """A job's stage, how many documents are done and when it ends."""
    if one := job.rechunking:
        returning = " " + _("(the former chunking comes back)") if one.backwards else ""
        bar(one.done, one.total, doing=stage_word(job) + returning, note=_ends_about(rechunking_state(one)))


def _ends_about(state: RechunkingState) -> str:
    return _("ends about %(when)s") % {"when": clock(state.ends)} if state.ends else ""


def _score_words(one: Rechunking) -> str:
    if one.score_before is None or one.score_after is None:
        return ""
    scores = {"set": one.gate, "before": one.score_before, "after": one.score_after}
    return _("nDCG@10 on the set %(set)s: %(before).3f before, %(after).3f after.") % scores


def _kept_words(one: Rechunking) -> str:
    return _(
        "Documents with chunks that were corrected or switched off by hand stayed as they were: %(n)d. Splitting would "
        "undo that; where it is not needed, restore the chunks in the admin and run this again."
    ) % {"n": one.kept}
