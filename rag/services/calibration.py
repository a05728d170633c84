"""Keeping what calibration found in the embedding space; the next search uses it."""

from django.db import transaction

from ingestion.models import EmbeddingSpace
from rag.search.relevance.calibration import Calibration, as_stored


@transaction.atomic
def store_calibration(*, space: EmbeddingSpace, reranker: str, calibration: Calibration) -> None:
    """With the `fusion` that `space` has: the weights were fitted on what it brings up. Other rerankers keep theirs."""
    stored = EmbeddingSpace.objects.select_for_update().get(pk=space.pk)
    stored.fusion = space.fusion
    stored.calibration = {**stored.calibration, reranker: as_stored(calibration)}
    stored.save(update_fields=["fusion", "calibration"])
