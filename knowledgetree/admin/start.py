"""The first page of the admin: the first steps until they are done, what needs somebody, and the week in figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.library.sample import is_only_sample, own_documents, without_guides
from ingestion.models import Collection, Document
from ingestion.selectors import collections_for_all_questions, visible_documents
from knowledgetree.admin.attention import Matter, matters
from rag.insight.analytics.feedback import judged_in
from rag.insight.analytics.figures import figures_of
from rag.insight.analytics.inbox import counts_by_status
from rag.insight.analytics.period import period_called
from rag.models import Exchange, KnowledgeGap

State = Document.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class StartStep:
    """One thing to do first. `note` tells how far it is; `label` is what the link says."""

    name: str
    title: str
    note: str
    label: str
    address: str
    done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number of the last seven days; `address` is where it is looked into."""

    label: str
    value: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """`steps` are empty where all are done; `current` is the name of the first that is not."""

    steps: tuple[StartStep, ...]
    matters: tuple[Matter, ...]
    week: tuple[Figure, ...]
    current: str
    moving: bool

    @property
    def done(self) -> int:
        return sum(step.done for step in self.steps)


def start_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """`settings.UNFOLD["DASHBOARD_CALLBACK"]`: adds `start` to what the page shows."""
    return context | {"start": start(request.user)}  # type: ignore[arg-type]  # none but those who signed in


def start(user: AbstractUser) -> Start:
    """What `user` may do and see, nothing else."""
    steps = tuple(_steps(user))
    open_steps = [step.name for step in steps if not step.done]
    useful = any(step.name != "ask" for step in steps)  # somebody who only reads needs no lesson
    return Start(
        steps=steps if open_steps and useful else (),
        matters=tuple(matters(user)),
        week=tuple(_week(user)) if user.has_perm("rag.view_exchange") else (),
        current=open_steps[0] if open_steps else "",
        moving=visible_documents(user).filter(status__in=[State.QUEUED, State.PROCESSING]).exists(),
    )


def _steps(user: AbstractUser) -> Iterator[StartStep]:
    if user.has_perm("ingestion.add_collection"):
        yield _collection_step(user)
    if user.has_perm("ingestion.add_document"):
        yield _upload_step(user)
    if user.has_perm("ingestion.view_document"):
        yield _ready_step(user)
    yield StartStep(
        name="ask",
        title=_("Ask a question"),
        note=_("The answer names the documents it comes from."),
        label=_("Ask a question"),
        address=reverse("chat:home"),
        done=Exchange.objects.filter(conversation__owner_id=user.pk).exists(),
    )
    if user.has_perm("ingestion.change_collection"):
        yield _readers_step(user)


def _week(user: AbstractUser) -> Iterator[Figure]:
    period = period_called("7d")
    figures, judged = figures_of(period)[0], judged_in(period)
    dashboard = reverse("admin:rag_dashboard_changelist", query={"period": period.name})
    looked_up = figures.questions - figures.direct
    yield Figure(label=_("questions"), value=str(figures.questions), address=dashboard)
    yield Figure(label=_("without an answer"), value=f"{figures.not_found} / {looked_up}", address=dashboard)
    yield Figure(
        label=_("judged unhelpful"),
        value=f"{judged.bad} / {judged.total}",
        address=reverse("admin:rag_feedback_changelist", query={"verdict__exact": "bad"}),
    )
    yield Figure(
        label=_("new knowledge gaps"),
        value=str(counts_by_status(user)[KnowledgeGap.Status.NEW]),
        address=reverse("admin:rag_knowledgegap_changelist"),
    )


def _collection_step(user: AbstractUser) -> StartStep:
    return StartStep(
        name="collection",
        title=_("Create a collection"),
        note=_("A set of documents for the same readers, such as “Human resources”."),
        label=_("Create a collection"),
        address=reverse("admin:ingestion_collection_add"),
        done=collections_for_all_questions(user).exists(),
    )


def _upload_step(user: AbstractUser) -> StartStep:
    documents = visible_documents(user)
    count = own_documents(documents).count()
    if is_only_sample(documents):
        note = _("So far there are the sample documents of a fictional office. Add files of your own.")
    elif count:
        note = ngettext("%(n)d document is there.", "%(n)d documents are there.", count) % {"n": count}
    else:
        note = _("Many at once, in any of the usual formats.")
    return StartStep(
        name="upload",
        title=_("Upload documents"),
        note=note,
        label=_("Upload documents"),
        address=reverse("admin:ingestion_document_upload"),
        done=count > 0,
    )


def _ready_step(user: AbstractUser) -> StartStep:
    living = without_guides(visible_documents(user)).exclude(status=State.ARCHIVED)
    total, ready = living.count(), living.filter(status=State.READY).count()
    waiting = living.filter(status__in=[State.QUEUED, State.PROCESSING]).exists()
    return StartStep(
        name="ready",
        title=_("Wait until they are ready"),
        note=_("Ready: %(ready)d of %(total)d.") % {"ready": ready, "total": total}
        if total
        else _("Each document is read by itself, in the background."),
        label=_("See the documents"),
        address=reverse("admin:ingestion_document_changelist"),
        done=ready > 0 and not waiting,
    )


def _readers_step(user: AbstractUser) -> StartStep:
    collections = collections_for_all_questions(user)
    chosen = collections.exclude(visibility=Collection.Visibility.RESTRICTED, groups=None)
    # With one collection there is no choice of pages.
    only = collections.first() if collections.count() == 1 else None
    return StartStep(
        name="readers",
        title=_("Decide who sees it"),
        note=_("Everyone, all who sign in, or chosen groups."),
        label=_("Decide who sees it"),
        address=reverse("admin:ingestion_collection_change", args=[only.pk])
        if only
        else reverse("admin:ingestion_collection_changelist"),
        done=chosen.exists(),
    )
