"""What is known of a document beside its text, for the reader who wants to know."""

from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

from ingestion.models import Document
from ingestion.text.personal_data.masking import masked

_LONGEST = 300  # characters of a value; longer ones are texts of their own
_MOST = 20  # entries of the metadata
_WEB = ("https://", "http://")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFact:
    """`url` "" where the value leads nowhere."""

    label: str
    value: str
    url: str = ""


def facts_of(document: Document, *, pages: int, covers: bool) -> list[DocumentFact]:
    """Source, address, dates, pages, then the plain values of the metadata; masked where `covers`."""
    facts = [*_own(document, pages), *_metadata(document)]
    if not covers:
        return facts
    return [DocumentFact(label=masked(fact.label), value=masked(fact.value)) for fact in facts]


def _own(document: Document, pages: int) -> list[DocumentFact]:
    address = document.uri if document.uri.startswith(_WEB) else ""
    known = [
        DocumentFact(label=gettext("Source"), value=document.source.name if document.source else ""),
        DocumentFact(label=gettext("Address"), value=address, url=address),
        DocumentFact(label=gettext("File"), value=document.file_name),
        DocumentFact(label=gettext("Added"), value=date_format(localtime(document.created), "DATE_FORMAT")),
        DocumentFact(label=gettext("Changed"), value=date_format(localtime(document.modified), "DATE_FORMAT")),
        DocumentFact(label=gettext("Pages"), value=str(pages or "")),
    ]
    return [fact for fact in known if fact.value]


def _metadata(document: Document) -> list[DocumentFact]:
    entries = document.metadata if isinstance(document.metadata, dict) else {}
    plain = [(str(key), _as_text(value)) for key, value in entries.items()]
    return [DocumentFact(label=key, value=value) for key, value in plain if 0 < len(value) <= _LONGEST][:_MOST]


def _as_text(value: object) -> str:
    """ "" for what is no plain value or list of such."""
    if isinstance(value, list):
        return ", ".join(text for one in value if not isinstance(one, list) and (text := _as_text(one)))
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value).strip() if isinstance(value, str | int | float) else ""
