"""Personal data of a document, noted where they stand."""

from ingestion.models import Document, Extraction, PersonalData
from ingestion.text.personal_data.detection import find_personal_data


def write_personal_data(document: Document, extraction: Extraction) -> int:
    """In the transaction that writes the extracted text; how many were found."""
    rows = [
        PersonalData(document=document, extraction=extraction, kind=found.kind, start=found.start, end=found.end)
        for found in find_personal_data(extraction.text)
    ]
    PersonalData.objects.bulk_create(rows, batch_size=1000)
    return len(rows)


def keep_text_of_version(document: Document) -> None:
    """Before the extracted text goes: a version that is over keeps it, so that versions can be compared."""
    for extraction in document.extractions.exclude(checksum__in=["", document.checksum]).order_by("pk"):
        document.versions.filter(checksum=extraction.checksum, text="").update(text=extraction.text)
