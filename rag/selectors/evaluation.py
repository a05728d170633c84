"""Which evaluation sets somebody may see, measure and add to, and which of what was measured with them."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet

from ingestion.models import Collection, Document
from ingestion.models.viewers import Viewer, is_superuser
from ingestion.selectors import visible_collections
from ingestion.selectors.clearance import cleared
from rag.models import EvaluationDataset, EvaluationRun, Judgement, Measurement, Optimization


def visible_datasets(user: User | AnonymousUser) -> QuerySet[EvaluationDataset]:
    """Sets whose collection `user` may read, and those without one; none without the permission to view sets."""
    if not may_view(user):
        return EvaluationDataset.objects.none()
    datasets = EvaluationDataset.objects.select_related("collection")
    return datasets.filter(Q(collection=None) | Q(collection__in=visible_collections(user)))


def markable_datasets(user: User | AnonymousUser) -> QuerySet[EvaluationDataset]:
    """Those of the visible sets that `user` may add questions and judgements to."""
    return visible_datasets(user) if may_mark(user) else EvaluationDataset.objects.none()


def visible_runs(user: User | AnonymousUser) -> QuerySet[EvaluationRun]:
    """Measurements of the visible sets; those of sets that are gone are for superusers alone."""
    if not user.has_perm("rag.view_evaluationrun"):
        return EvaluationRun.objects.none()
    if is_superuser(user):
        return EvaluationRun.objects.all()
    return EvaluationRun.objects.filter(dataset__in=visible_datasets(user).values("name"))


def visible_measurements(user: User | AnonymousUser) -> QuerySet[Measurement]:
    """The measurements of the sets that `user` may see, newest first."""
    return Measurement.objects.filter(dataset__in=visible_datasets(user)).select_related("dataset", "job", "run")


def visible_optimizations(user: User | AnonymousUser) -> QuerySet[Optimization]:
    """Searches on the sets that `user` may see, newest first; those for an assistant are for who may see assistants."""
    found = Optimization.objects.filter(dataset__in=visible_datasets(user))
    if not (user.has_perm("rag.view_assistant") or user.has_perm("rag.change_assistant")):
        found = found.filter(assistant=None)
    return found.select_related("dataset", "assistant", "job", "user")


def measurable_datasets(viewer: Viewer, *, collection: Collection | None) -> QuerySet[EvaluationDataset]:
    """Sets with a collection that `viewer` may read, this one if given, for whoever measures with them what they edit.

    Their measures alone are told, with questions whose order changed; so no permission to view sets is asked for.
    """
    permitted = visible_collections(viewer).filter(pk=collection.pk) if collection else visible_collections(viewer)
    return EvaluationDataset.objects.filter(collection__in=permitted).select_related("collection")


def may_view(user: User | AnonymousUser) -> bool:
    return user.has_perm("rag.view_evaluationdataset") or user.has_perm("rag.change_evaluationdataset")


def may_mark(user: User | AnonymousUser) -> bool:
    return user.has_perm("rag.change_evaluationdataset")


def may_measure(user: User | AnonymousUser) -> bool:
    """Who may add runs to those there are, of the sets that they see."""
    return user.has_perm("rag.add_evaluationrun")


def hidden_judgements(user: User | AnonymousUser) -> QuerySet[Judgement]:
    """Those of documents that `user` may not read. What is in no collection any more is nobody's secret."""
    if is_superuser(user):
        return Judgement.objects.none()
    same = Document.objects.filter(uri=OuterRef("document"))
    readable = same.filter(cleared(user), collection__in=visible_collections(user))
    return Judgement.objects.filter(Exists(same)).exclude(Exists(readable))
