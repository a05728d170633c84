"""Which evaluation sets somebody may see and add to."""

from typing import Protocol

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet

from ingestion.models import Document
from ingestion.selectors import visible_collections
from rag.models import EvaluationDataset, EvaluationRun, Judgement


class Asks(Protocol):
    """Whoever has permissions."""

    def has_perm(self, perm: str) -> bool: ...


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
    if getattr(user, "is_superuser", False):
        return EvaluationRun.objects.all()
    return EvaluationRun.objects.filter(dataset__in=visible_datasets(user).values("name"))


def may_view(user: Asks) -> bool:
    return user.has_perm("rag.view_evaluationdataset") or user.has_perm("rag.change_evaluationdataset")


def may_mark(user: Asks) -> bool:
    return user.has_perm("rag.change_evaluationdataset")


def hidden_judgements(user: User | AnonymousUser) -> QuerySet[Judgement]:
    """Those of documents that `user` may not read. What is in no collection any more is nobody's secret."""
    if getattr(user, "is_superuser", False):
        return Judgement.objects.none()
    same = Document.objects.filter(uri=OuterRef("document"))
    readable = same.filter(collection__in=visible_collections(user))
    return Judgement.objects.filter(Exists(same)).exclude(Exists(readable))
