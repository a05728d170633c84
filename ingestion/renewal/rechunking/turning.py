"""A change of chunking put in force, judged by its golden set, ended or turned round."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.chunking.splitting import Chunking, chunking_of, stored_chunking
from ingestion.models import Collection, Document, Rechunking
from ingestion.renewal.gate import activation_gate
from ingestion.renewal.rechunking.pending_documents import count_documents
from ingestion.types import Progress
from knowledgetree.conf import ChunkingSettings, rag_settings

MEASURE = "nDCG@10"
_Status = Rechunking.Status


def begin(rechunking: Rechunking, progress: Progress) -> None:
    """Measure what is, note it, and put the new chunking in force; once.

    Raises ActivationRefused where the golden set cannot be measured; nothing has changed then.
    """
    if rechunking.started:
        return
    score = activation_gate().measure(rechunking.gate, progress=progress) if rechunking.gate else None
    settings = rag_settings().ingestion.chunking
    with transaction.atomic():
        now = lock_rechunking(rechunking)
        if now.status != _Status.RUNNING or now.started:
            return
        for part in now.parts.select_related("collection"):
            part.before = former_chunking(part.collection, settings)
            part.save(update_fields=["before"])
            Collection.objects.filter(pk=part.collection_id).update(chunking=part.after)
        now.started, now.score_before = timezone.now(), score
        now.save(update_fields=["started", "score_before"])
    rechunking.refresh_from_db()


def conclude(rechunking: Rechunking, progress: Progress) -> bool:
    """Every document is done: measure, and end it or turn it round. Whether it has ended."""
    score = None
    if rechunking.gate and not rechunking.backwards:
        score = activation_gate().measure(rechunking.gate, progress=progress)
    counts = count_documents(rechunking, rag_settings().ingestion.chunking)
    with transaction.atomic():
        now = lock_rechunking(rechunking)
        if now.status != _Status.RUNNING or now.backwards != rechunking.backwards:
            return False
        now.score_after = now.score_after if score is None else score
        now.done, now.total, now.kept, now.error = counts.done, counts.total, counts.kept, _unsplit_words(now)
        worse = verdict(now) if score is not None else ""
        if worse:
            turn_back(now, verdict=worse)
            return False
        now.status = _Status.ROLLED_BACK if now.backwards else _Status.DONE
        now.finished = timezone.now()
        now.save()
    return True


def verdict(rechunking: Rechunking) -> str:
    """By how much the golden set got worse, where that is more than tolerated."""
    before, after = rechunking.score_before, rechunking.score_after
    if before is None or after is None or after >= before - rechunking.gate_margin:
        return ""
    return _("%(measure)s on %(name)s fell from %(before).3f to %(after).3f: by %(loss).3f, over %(margin).3f.") % {
        "measure": MEASURE,
        "name": rechunking.gate,
        "before": before,
        "after": after,
        "loss": before - after,
        "margin": rechunking.gate_margin,
    }


def turn_back(rechunking: Rechunking, *, verdict: str = "") -> None:
    """Put the former chunking in force again; the row is locked. The documents follow by the same way."""
    for part in rechunking.parts.all():
        Collection.objects.filter(pk=part.collection_id).update(chunking=part.before)
    rechunking.backwards, rechunking.verdict, rechunking.unsplit = True, verdict, []
    rechunking.status, rechunking.finished = _Status.RUNNING, None
    rechunking.save()


def former_chunking(collection: Collection, settings: ChunkingSettings) -> Mapping[str, Any]:
    """What `Collection.chunking` must say for the documents to be split as most of them are now.

    Where the settings were changed, the documents still know what was before.
    """
    documents = Document.objects.readable().filter(collection=collection, chunk_count__gt=0)
    marks = documents.order_by().values_list("chunking").annotate(n=Count("pk")).order_by("-n")
    noted: Chunking | None = stored_chunking(marks[0][0]) if marks else None
    if noted is None or noted == chunking_of(collection, settings) or noted.chunker not in _declared():
        stored: Mapping[str, Any] = collection.chunking
        return stored
    return noted.stored()


def lock_rechunking(rechunking: Rechunking) -> Rechunking:
    return Rechunking.objects.select_for_update(no_key=True).get(pk=rechunking.pk)


def _declared() -> Mapping[str, object]:
    return rag_settings().components.get("chunkers", {})


def _unsplit_words(rechunking: Rechunking) -> str:
    if not rechunking.unsplit:
        return ""
    return _("Documents that could not be split and keep their former chunks: %(n)d. The log says why.") % {
        "n": len(rechunking.unsplit)
    }
