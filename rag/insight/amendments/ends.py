"""An act that ends another one of the base proposes when that one was in force last."""

from collections.abc import Iterable

from ingestion.library.validity.proposing import VALID_TO, StatedField, replace_proposals
from ingestion.models import Document, Extraction, ValidityProposal
from rag.models import Amendment, ReadAct

_ENDED = Amendment.Change.ENDED


def propose_ends(document: Document) -> None:
    """Propose the ends that `document` gives to others, and those that others give to it."""
    known = ValidityProposal.objects.filter(field=VALID_TO)
    made = Amendment.objects.filter(document=document, change=_ENDED)
    _replace(known.filter(stated_by=document).exclude(document=document), made, document.pk)
    key = ReadAct.objects.filter(document=document).exclude(key="").values_list("key", flat=True).first()
    others = Amendment.objects.filter(change=_ENDED, key=key or "-").exclude(document=document)
    undergone = known.filter(document=document).exclude(stated_by=document)
    undergone.exclude(stated_by__in=others.values("document")).delete()
    for other in set(others.values_list("document", flat=True)):
        _replace(undergone.filter(stated_by=other), others.filter(document=other), other, only=document.pk)


def _replace(
    known: Iterable[ValidityProposal], ends: Iterable[Amendment], stated_by: int, only: int | None = None
) -> None:
    by_key = {end.key: end for end in ends}
    acts = ReadAct.objects.filter(key__in=by_key).exclude(document=stated_by)
    acts = acts.filter(document=only) if only else acts
    stated = [
        StatedField(document=act.document_id, field=VALID_TO, day=end.day, start=end.start, end=end.end)
        for act in acts
        for end in [by_key[act.key]]
    ]
    texts = Extraction.objects.filter(document=stated_by).order_by("pk").values_list("text", flat=True)
    replace_proposals(known, stated, stated_by=stated_by, text=(texts.first() or "") if stated else "")
