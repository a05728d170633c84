"""Personal data of a document, noted where they stand."""

from collections.abc import Iterable

from ingestion.models import Document, Extraction, PersonalData
from ingestion.text.personal_data.detection import find_personal_data


def write_personal_data(extractions: Iterable[Extraction]) -> None:
    """In the transaction that writes the extracted texts."""
    rows = [
        PersonalData(
            document_id=extraction.document_id,
            extraction=extraction,
            kind=found.kind,
            start=found.start,
            end=found.end,
        )
        for extraction in extractions
        for found in find_personal_data(extraction.text)
    ]
    PersonalData.objects.bulk_create(rows, batch_size=1000)


def keep_text_of_version(document: Document) -> None:
    """Before the extracted text goes: a version that is over keeps it, so that versions can be compared."""
    for extraction in document.extractions.exclude(checksum__in=["", document.checksum]).order_by("pk"):
        unread = document.versions.filter(checksum=extraction.checksum, text="")
        unread.update(text=extraction.text, extractor=extraction.extractor, page_starts=extraction.page_starts)
