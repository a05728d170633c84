"""The last result of each set, for their list."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import OuterRef, QuerySet, Subquery

from rag.models import EvaluationDataset
from rag.selectors import visible_runs


def with_last_run(datasets: QuerySet[EvaluationDataset], user: User | AnonymousUser) -> QuerySet[EvaluationDataset]:
    """Annotated with `run_pk` and `run_metrics` of the newest run that `user` may see, None where there is none."""
    newest = visible_runs(user).filter(dataset=OuterRef("name")).order_by("-pk")
    return datasets.annotate(
        run_pk=Subquery(newest.values("pk")[:1]), run_metrics=Subquery(newest.values("metrics")[:1])
    )
