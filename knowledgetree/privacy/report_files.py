"""The report for an inspector, and the proof of one erasure, as PDF."""

from collections.abc import Iterator, Sequence

from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from ingestion.models import Erasure
from knowledgetree.pdf.pages import HEADING, SECTION, SMALL, pairs, pdf_of, plain
from knowledgetree.privacy.entry_texts import entry_lines
from knowledgetree.privacy.inspection import Inspection, backups_in_words, erasure_in_words
from knowledgetree.privacy.leftovers import leftovers_of


def inspection_pdf(inspection: Inspection) -> bytes:
    return pdf_of(_("Register of personal data"), _inspection(inspection))


def erasure_pdf(erasure: Erasure) -> bytes:
    """That a document was erased, and that the tables were looked through for it just now."""
    return pdf_of(_("Proof of an erasure"), _erasure(erasure))


def _inspection(inspection: Inspection) -> Iterator[Flowable]:
    told = {"when": date(timezone.localtime(inspection.made), "DATETIME_FORMAT"), "who": inspection.made_by}
    yield plain(
        _(
            "Made on %(when)s by %(who)s. Kinds and numbers are those that the program found by rules; what it does not"
            " find it does not count."
        )
        % told,
        SMALL,
    )
    for entry in inspection.entries:
        yield plain(str(entry.collection), HEADING)
        yield pairs([(line.label, line.text) for line in entry_lines(entry)])
    yield plain(_("Safeguards"), HEADING)
    yield from _list(inspection.safeguards)
    yield plain(_("Ended in the last year"), HEADING)
    yield plain(_("By their term"), SECTION)
    yield from _list(inspection.ended)
    yield plain(_("Erased with proof"), SECTION)
    yield from _list(inspection.erased)


def _list(texts: Sequence[str]) -> Iterator[Flowable]:
    for text in texts or [_("none")]:
        yield plain(f"• {text}")


def _erasure(erasure: Erasure) -> Iterator[Flowable]:
    yield plain(erasure_in_words(erasure))
    yield plain(_("Looked through now"), HEADING)
    told = {"when": date(timezone.localtime(), "DATETIME_FORMAT")}
    yield plain(_("On %(when)s these rows were left that belong to the document:") % told)
    yield pairs([(name, str(rows)) for name, rows in leftovers_of(erasure.document_number).items()])
    yield plain(_("Not looked through"), HEADING)
    yield plain(_("Log files of the server, answers that people copied, and what went to language models."))
    yield plain(backups_in_words())
