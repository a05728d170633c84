"""A golden set as the gate to an activation: what gets worse is not activated."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from ingestion.errors import ActivationRefused
from ingestion.models import EmbeddingSpace
from ingestion.selectors import readable_documents
from ingestion.types import Progress
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.shipped_sets import GOLDEN_SET, documents_are_there
from rag.evaluation.retrieval import RetrievalOptions, measure_retrieval
from rag.models import EvaluationDataset, Judgement

MEASURE = "nDCG@10"


class GoldenSetGate:
    """Compares the mean nDCG@10 of two embedding spaces over an evaluation dataset: in its collection, or in what
    everyone may read where it has none.

    `preset`: what is searched with; empty: the default one. `limit`: so many questions are drawn; 0: all.
    """

    def __init__(self, *, preset: str = "", limit: int = 0) -> None:
        self._preset = preset
        self._limit = limit

    def known(self) -> Sequence[str]:
        datasets = EvaluationDataset.objects.all()
        return [one.name for one in datasets if one.collection_id or documents_are_there(one)]

    def default(self) -> str:
        return GOLDEN_SET if GOLDEN_SET in self.known() else ""

    def check(self, dataset: str, *, active: int, candidate: int, margin: float, progress: Progress) -> None:
        """Raises ActivationRefused where the candidate loses more than `margin`, or nothing can be measured."""
        before, after = (self._measure(dataset, space, progress) for space in (active, candidate))
        if after < before - margin:
            raise ActivationRefused(
                _("%(measure)s on %(name)s falls from %(before).3f to %(after).3f: by %(loss).3f, over %(margin).3f.")
                % {
                    "measure": MEASURE,
                    "name": dataset,
                    "before": before,
                    "after": after,
                    "loss": before - after,
                    "margin": margin,
                },
                remedy=_("The space in use stays. Try another model, or activate with a larger margin."),
            )

    def measure(self, dataset: str, *, progress: Progress) -> float:
        """In the active space. Raises ActivationRefused where nothing can be measured."""
        return self._measure(dataset, None, progress)

    def collections_of(self, dataset: str) -> frozenset[int]:
        golden = EvaluationDataset.objects.filter(name=dataset).first()
        if golden is None or golden.collection_id:
            return frozenset({golden.collection_id} if golden and golden.collection_id else ())
        expected = Judgement.objects.filter(question__dataset=golden).values("document")
        documents = readable_documents(AnonymousUser()).filter(uri__in=expected)
        return frozenset(documents.order_by().values_list("collection", flat=True).distinct())

    def _measure(self, dataset: str, space: int | None, progress: Progress) -> float:
        golden = EvaluationDataset.objects.select_related("collection").filter(name=dataset).first()
        if golden is None:
            raise ActivationRefused(
                _("The golden set %(name)s is not there.") % {"name": dataset},
                remedy=_("Choose another one, or go on without a golden set."),
            )
        name = EmbeddingSpace.objects.get(pk=space).name if space else ""
        report = measure_retrieval(
            list(stored_questions(golden)),
            collection=golden.collection,
            options=RetrievalOptions(preset=self._preset, limit=self._limit, space=name),
            progress=progress,
        )
        mean = report.metrics.get(MEASURE)
        if mean is None:
            raise ActivationRefused(
                _("The golden set %(name)s has no question that names a document.") % {"name": dataset},
                remedy=_("Add the expected documents to its questions."),
            )
        return mean
