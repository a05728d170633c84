"""What the worker does by itself, and how often: the one place that says which functions the queue's schedules call.

`migrate` enters them into the queue's table, where they are known by name. Where a function has moved, its rows get the
new path and keep their next turn, and so do the tasks of it that wait; no migration needs to know a path.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.apps import apps as apps_of_today
from django.apps.registry import Apps
from django.db.models import QuerySet
from django_q.signing import BadSignature, SignedPackage


@dataclass(frozen=True, slots=True, kw_only=True)
class Chore:
    """A task without a job of its own, done every so many minutes; `minutes` None: once a day."""

    name: str
    func: str
    minutes: int | None = None


RECOVERY = Chore(name="knowledgetree: recover jobs", func="ingestion.jobs.recover_jobs", minutes=1)
SYNCHRONISING = Chore(name="knowledgetree: synchronise source", func="ingestion.jobs.start_scheduled_sync")
"""A source's number follows this name. Each source has a schedule in a rhythm of its own, or none."""

CHORES = (
    RECOVERY,
    Chore(name="knowledgetree: pack postings", func="ingestion.jobs.pack_postings", minutes=10),
    Chore(name="knowledgetree: publish loaded", func="ingestion.index.publishing.publish_loaded", minutes=10),
    Chore(name="knowledgetree: tell the search engine", func="ingestion.index.engine.chore.tell_engine", minutes=1),
    Chore(name="knowledgetree: send webhooks", func="knowledgetree.webhooks.sending.send_due", minutes=1),
    Chore(name="knowledgetree: send letters", func="knowledgetree.letters.sending.send_news", minutes=1),
    Chore(name="knowledgetree: forget old letters", func="knowledgetree.letters.writing.forget_old_letters"),
    Chore(name="knowledgetree: forget old audit entries", func="knowledgetree.audit.forgetting.forget_old_entries"),
    Chore(name="knowledgetree: back up", func="knowledgetree.backups.making.back_up_tonight"),
    Chore(name="knowledgetree: keep terms", func="knowledgetree.privacy.retention.keep_terms"),
    Chore(name="knowledgetree: forget old webhook deliveries", func="knowledgetree.webhooks.sending.forget_old"),
    Chore(name="knowledgetree: maintain index", func="ingestion.jobs.maintain_index"),
    Chore(name="knowledgetree: forget old answers", func="rag.services.maintenance.forget_old_answers"),
    Chore(name="knowledgetree: gather knowledge gaps", func="rag.insight.analytics.intake.gather_gaps"),
    Chore(name="knowledgetree: compare documents", func="rag.insight.conflicts.chore.find_conflicts", minutes=30),
    Chore(name="knowledgetree: link amendments", func="rag.insight.amendments.chore.record_amendments", minutes=30),
    Chore(name="knowledgetree: propose words", func="rag.insight.analytics.word_proposals.propose_words"),
    Chore(name="knowledgetree: learn relevance", func="rag.evaluation.calibration.learning.learn_relevance"),
    Chore(name="knowledgetree: follow the directory", func="knowledgetree.identity.following.refresh_accounts"),
    Chore(
        name="knowledgetree: remove abandoned copies on trial",
        func="rag.evaluation.optimization.copies.remove_abandoned_copies",
    ),
    Chore(name="knowledgetree: refresh groups of documents", func="rag.insight.communities.job.refresh_communities"),
)


def enter_schedules(*, using: str, apps: Apps = apps_of_today, **signal: Any) -> None:
    """Make the queue's table know every chore by its path of today; called after each `migrate` and `flush`."""
    try:
        schedules = apps.get_model("django_q", "Schedule").objects.using(using)
        waiting = apps.get_model("django_q", "OrmQ").objects.using(using)
    except LookupError:
        return  # one app was migrated alone, and the queue has no tables yet
    paths: dict[str, str] = dict(schedules.exclude(name=None).values_list("name", "func"))
    for chore in CHORES:
        if chore.name not in paths:
            kind = {"schedule_type": "I", "minutes": chore.minutes} if chore.minutes else {"schedule_type": "D"}
            schedules.create(name=chore.name, func=chore.func, repeats=-1, **kind)
    moved = {name: func for name, path in paths.items() if (func := _func_of(name, path)) != path}
    for name, func in moved.items():
        schedules.filter(name=name).update(func=func)
    if moved:
        _redirect(waiting, {paths[name]: func for name, func in moved.items()})


def _func_of(name: str, otherwise: str) -> str:
    """What the schedule of this name calls; of one that is not ours we know no better than it."""
    if name.startswith(f"{SYNCHRONISING.name} "):
        return SYNCHRONISING.func
    return next((chore.func for chore in CHORES if chore.name == name), otherwise)


def _redirect(waiting: QuerySet[Any], moved: Mapping[str, str]) -> None:
    for ticket in waiting:
        with suppress(BadSignature):  # signed with another SECRET_KEY: no worker will read it either
            task = SignedPackage.loads(ticket.payload)
            if func := moved.get(task["func"]):
                waiting.filter(pk=ticket.pk).update(payload=SignedPackage.dumps({**task, "func": func}))
