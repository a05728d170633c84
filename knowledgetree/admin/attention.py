"""What needs somebody: each with what to do, where, and counted among what this user may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.admin.labels import moment
from ingestion.library.validity.proposals import open_proposals
from ingestion.models import Collection, Document, Job, SourceAddress
from ingestion.models.viewers import is_superuser
from ingestion.selectors import in_visible_collections, visible_collections, visible_documents, visible_jobs
from knowledgetree.readiness import WORKER_SECONDS, worker_age
from knowledgetree.webhooks.models import Webhook
from rag.errors import LLMRejected
from rag.insight.conflicts.board import number_of_owner, number_open
from rag.llm.spending.budgets import budget_states
from rag.models import Exchange

State = Document.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """`text` says what is wrong, `remedy` what to do; `address` "" where there is no page for it."""

    name: str
    text: str
    remedy: str
    address: str = ""


def matters(user: AbstractUser) -> Iterator[Matter]:
    """The most pressing first."""
    looks = (
        ("ingestion.view_job", _worker),
        ("rag.view_monthlybudget", _budget),
        ("rag.view_languagemodelserver", _rejected_requests),
        ("knowledgetree.view_webhook", _silent_webhooks),
        ("ingestion.view_document", _failed_documents),
        ("ingestion.view_job", _failed_jobs),
        ("ingestion.change_source", _gone_documents),
        ("ingestion.change_collection", _forgotten_collections),
        ("ingestion.change_document", _own_contradictions),
        ("ingestion.change_document", _contradictions),
        ("ingestion.change_document", _proposed_validities),
        ("ingestion.view_document", _documents_with_warnings),
    )
    for permission, look in looks:
        if user.has_perm(permission) and (matter := look(user)):
            yield matter


def _worker(user: AbstractUser) -> Matter | None:
    age = worker_age()
    if age is not None and age <= WORKER_SECONDS:
        return None
    since = moment(timezone.now() - timedelta(seconds=age)) if age is not None else "–"
    return Matter(
        name="worker",
        text=_("No worker has been running since %(when)s: new documents wait.") % {"when": since},
        remedy=_("Whoever looks after the server should run: knowledgetree worker"),
        address=reverse("admin:ingestion_job_changelist", query={"status__exact": Job.Status.QUEUED}),
    )


def _budget(user: AbstractUser) -> Matter | None:
    """Of several that are used up or nearly so the one that is furthest."""
    pressing = [state for state in budget_states() if state.level != "free"]
    if not pressing:
        return None
    state = max(pressing, key=lambda state: state.share)
    name = {"name": state.name or _("the installation"), "percent": round(100 * state.share)}
    used_up = state.level == "stopped"
    return Matter(
        name="budget",
        text=_("The budget for language models is used up this month: %(name)s.") % name
        if used_up
        else _("%(percent)d%% of this month's budget for language models is used: %(name)s.") % name,
        remedy=_("No model is asked until the month is over. Raise the budget if answers should be written again.")
        if used_up
        else _("At its end no model is asked any more: raise it in time, or leave it."),
        address=reverse("admin:rag_monthlybudget_changelist"),
    )


def _rejected_requests(user: AbstractUser) -> Matter | None:
    """A key that is refused, a model that is gone, no credit: readers get answers by rules meanwhile."""
    lately = Exchange.objects.filter(created__gte=timezone.now() - timedelta(days=1))
    n = lately.filter(notices__contains=[{"code": LLMRejected.code}]).count()
    if not n:
        return None
    text = ngettext(
        "The language model's server refused %(n)d question in the last 24 hours.",
        "The language model's server refused %(n)d questions in the last 24 hours.",
        n,
    )
    return Matter(
        name="rejected-requests",
        text=text % {"n": n},
        remedy=_("Check the connection: it says whether it is the key, the model or the account."),
        address=reverse("admin:rag_languagemodelserver_changelist"),
    )


def _silent_webhooks(user: AbstractUser) -> Matter | None:
    if not is_superuser(user):
        return None
    silent = list(Webhook.objects.exclude(switched_off=None).filter(active=False)[:2])
    if not silent:
        return None
    return Matter(
        name="webhooks",
        text=_("The webhook “%(name)s” received nothing for a day and was switched off.") % {"name": silent[0]}
        if len(silent) == 1
        else _("Some webhooks received nothing for a day and were switched off."),
        remedy=_("Mend the receiver, send a test message, and switch it on again: what waits is sent then."),
        address=reverse("admin:knowledgetree_webhook_changelist"),
    )


def _failed_documents(user: AbstractUser) -> Matter | None:
    n = visible_documents(user).filter(status=State.FAILED).count()
    if not n:
        return None
    return Matter(
        name="failed-documents",
        text=ngettext("%(n)d document could not be read.", "%(n)d documents could not be read.", n) % {"n": n},
        remedy=_("Beside each stands why, and what to do. Mend the file and upload it again."),
        address=reverse("admin:ingestion_document_changelist", query={"status__exact": State.FAILED}),
    )


def _failed_jobs(user: AbstractUser) -> Matter | None:
    """Those that nothing newer has made up for, and that no failed document stands for already."""
    same = Q(document=OuterRef("document")) | Q(source=OuterRef("source")) | Q(space=OuterRef("space"))
    same |= Q(rechunking=OuterRef("rechunking"))
    newer = Job.objects.filter(same, kind=OuterRef("kind"), created__gt=OuterRef("created"))
    failed = visible_jobs(user).filter(~Exists(newer), status=Job.Status.FAILED)
    asked_for = [Job.Kind.MEASUREMENT, Job.Kind.OPTIMIZATION]  # which their pages tell whoever asked for them
    failed = failed.exclude(kind__in=asked_for)
    n = failed.exclude(document__status__in=[State.FAILED, State.ARCHIVED]).count()
    if not n:
        return None
    return Matter(
        name="failed-jobs",
        text=ngettext("%(n)d job failed.", "%(n)d jobs failed.", n) % {"n": n},
        remedy=_("Read why, and try it again."),
        address=reverse("admin:ingestion_job_changelist", query={"status__exact": Job.Status.FAILED}),
    )


def _gone_documents(user: AbstractUser) -> Matter | None:
    waiting = SourceAddress.objects.filter(state=SourceAddress.State.WAITING)
    n = in_visible_collections(waiting, user, path="source__collection").count()
    text = ngettext("%(n)d document is gone from its source.", "%(n)d documents are gone from their sources.", n)
    if not n:
        return None
    return Matter(
        name="gone-documents",
        text=text % {"n": n},
        remedy=_("Confirm that it may be archived, or keep it."),
        address=reverse("admin:ingestion_sourceaddress_changelist", query={"matter": "waiting"}),
    )


def _forgotten_collections(user: AbstractUser) -> Matter | None:
    """Only superusers ever see one; to them it says that nobody else does."""
    found = list(visible_collections(user).filter(visibility=Collection.Visibility.RESTRICTED, groups=None)[:2])
    if not found:
        return None
    page = (
        reverse("admin:ingestion_collection_change", args=[found[0].pk])
        if len(found) == 1
        else reverse("admin:ingestion_collection_changelist", query={"visibility__exact": "restricted"})
    )
    return Matter(
        name="forgotten-collections",
        text=_("Nobody but administrators sees the collection “%(name)s”.") % {"name": found[0]}
        if len(found) == 1
        else _("Nobody but administrators sees some of the collections."),
        remedy=_("Choose groups for it, or let everyone who signs in see it."),
        address=page,
    )


def _own_contradictions(user: AbstractUser) -> Matter | None:
    n = number_of_owner(user)
    if not n:
        return None
    text = ngettext(
        "%(n)d contradiction concerns a document that you brought.",
        "%(n)d contradictions concern documents that you brought.",
        n,
    )
    return Matter(
        name="own-contradictions",
        text=text % {"n": n},
        remedy=_("Say which document is right, and mend the other."),
        address=reverse("admin:rag_conflict_changelist", query={"own": 1}),
    )


def _contradictions(user: AbstractUser) -> Matter | None:
    n = number_open(user)
    if not n:
        return None
    text = ngettext("%(n)d contradiction between documents.", "%(n)d contradictions between documents.", n)
    return Matter(
        name="contradictions",
        text=text % {"n": n},
        remedy=_("Say which document is right, and mend the other."),
        address=reverse("admin:rag_conflict_changelist"),
    )


def _proposed_validities(user: AbstractUser) -> Matter | None:
    n = open_proposals(user).count()
    if not n:
        return None
    text = ngettext(
        "%(n)d date of validity stands in a text and is not set.",
        "%(n)d dates of validity stand in texts and are not set.",
        n,
    )
    return Matter(
        name="proposed-validities",
        text=text % {"n": n},
        remedy=_("Read the sentence and accept the date, or reject it."),
        address=reverse("admin:ingestion_validityproposal_changelist"),
    )


def _documents_with_warnings(user: AbstractUser) -> Matter | None:
    n = visible_documents(user).filter(status=State.READY).exclude(warnings=[]).count()
    text = ngettext("%(n)d document was read with warnings.", "%(n)d documents were read with warnings.", n)
    if not n:
        return None
    return Matter(
        name="warnings",
        text=text % {"n": n},
        remedy=_("Parts may be missing from answers: look at what was left out."),
        address=reverse("admin:ingestion_document_changelist", query={"warnings": "yes", "status__exact": State.READY}),
    )
