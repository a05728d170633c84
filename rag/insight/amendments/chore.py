"""Documents are read for amendments and validities when they were indexed; every half hour those that were indexed in
another way.
"""

import time
from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery

from ingestion.library.validity.proposing import propose_validity
from ingestion.models import Document, Extraction
from ingestion.text.acts.consolidation.staging import later_units
from ingestion.text.acts.ends import StatedEnd, stated_ends
from ingestion.text.acts.instructions import Instruction, instructions_of
from ingestion.text.acts.references import act_of
from ingestion.text.acts.validity import stated_validity
from rag.insight.amendments.ends import propose_ends
from rag.models import Amendment, LaterUnit, ReadAct

_BATCH = 50
_SECONDS = 300.0
_LONGEST_KEY, _LONGEST_NAME, _LONGEST_UNIT = 300, 500, 200


def record_amendments(*, seconds: float = _SECONDS) -> int:
    """How many documents were read. What time does not allow is done the next time."""
    end, read = time.monotonic() + seconds, 0
    while time.monotonic() < end and (batch := _unread()[:_BATCH]):
        for document in batch:
            _record(document.pk)
        read += len(batch)
    return read


def read_anew(*, document: Document, **signal: Any) -> None:
    """Read what was just indexed; a receiver of `document_indexed`."""
    _record(document.pk)


def _unread() -> list[Document]:
    known = Subquery(ReadAct.objects.filter(document=OuterRef("pk")).values("indexed"))
    ready = Document.objects.filter(status=Document.Status.READY, indexed__isnull=False).annotate(known=known)
    return list(ready.filter(Q(known__isnull=True) | ~Q(known=F("indexed"))).order_by("pk")[:_BATCH])


@transaction.atomic
def _record(key: int) -> None:
    document = Document.objects.select_for_update(no_key=True).filter(pk=key, indexed__isnull=False).first()
    if document is None:
        return
    text = Extraction.objects.filter(document=document).order_by("pk").values_list("text", flat=True).first() or ""
    act = act_of(document.title, text)
    assert document.indexed  # noqa: S101  for the type checker
    ReadAct.objects.update_or_create(
        document=document, defaults={"indexed": document.indexed, "key": act.key[:_LONGEST_KEY] if act else ""}
    )
    Amendment.objects.filter(document=document).delete()
    Amendment.objects.bulk_create([*_changes(document, text), *_ends(document, text)])
    LaterUnit.objects.filter(document=document).delete()
    LaterUnit.objects.bulk_create(_later_units(document, text))
    propose_validity(document, text)
    propose_ends(document)


def _changes(document: Document, text: str) -> Iterator[Amendment]:
    for one in instructions_of(text):
        yield Amendment(**_of(document, one), unit=one.unit[:_LONGEST_UNIT], change=one.change)


def _ends(document: Document, text: str) -> Iterator[Amendment]:
    for one in stated_ends(text):
        yield Amendment(**_of(document, one), unit="", change=Amendment.Change.ENDED, day=one.last)


def _later_units(document: Document, text: str) -> Iterator[LaterUnit]:
    for one in later_units(text, stated_validity(text, title=document.title).later):
        yield LaterUnit(document=document, unit=one.unit, day=one.day, start=one.start, end=one.end)


def _of(document: Document, one: Instruction | StatedEnd) -> dict[str, Any]:
    key, name = one.act.key[:_LONGEST_KEY], one.act.name[:_LONGEST_NAME]
    return {"document": document, "start": one.start, "end": one.end, "key": key, "act": name}
