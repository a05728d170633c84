"""A measurement that is worse than the one before, told to whoever wants to know."""

from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from rag.evaluation.measures.significance import Difference, compare_scores
from rag.models import EvaluationRun


def announce_if_worse(run: EvaluationRun) -> Difference | None:
    """The measure that fell furthest beyond chance since the last run of the same set, kind and preset; None: none did.

    `run` is stored. Its webhooks are told in the caller's transaction.
    """
    same = EvaluationRun.objects.filter(dataset=run.dataset, kind=run.kind, preset=run.preset, pk__lt=run.pk)
    before = same.order_by("-pk").first()
    if before is None:
        return None
    fallen = [one for one in compare_scores(before.scores, run.scores) if one.significant and one.change < 0]
    if not fallen:
        return None
    worst = min(fallen, key=lambda one: one.change)
    announce(
        AnnouncedEvent.EVALUATION_WORSE,
        about=[run.pk],
        run=run.pk,
        earlier=before.pk,
        dataset=run.dataset,
        kind=run.kind,
        preset=run.preset,
        measure=worst.measure,
        before=round(worst.before, 4),
        after=round(worst.after, 4),
        p=round(worst.p, 4),
    )
    return worst
