"""An entry of the register in words: the same on its page, in the report to be printed and in the PDF."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.template.defaultfilters import date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.privacy.register import KindFound, RegisterEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """`pressing` where somebody has to do something, or will see something end."""

    label: str
    text: str
    pressing: bool = False


def entry_lines(entry: RegisterEntry) -> Iterator[EntryLine]:
    """What stands of a collection in the register, in its order."""
    yield EntryLine(label=_("Found"), text="; ".join(map(_found, entry.kinds)) or _("none"))
    yield EntryLine(label=_("Documents in all"), text=str(entry.documents))
    yield EntryLine(label=_("Who reads"), text=" ".join(_readers(entry)))
    if entry.record:
        yield from _entered(entry.record)
        yield EntryLine(label=_("How long"), text=_term(entry.record))
        if entry.overdue:
            yield EntryLine(label=_("Tonight"), text=_overdue(entry.overdue), pressing=True)
        who = entry.record.noted_by or "–"
        yield EntryLine(label=_("Entered"), text=f"{date(entry.record.noted, 'SHORT_DATE_FORMAT')}, {who}")
    elif entry.is_missing:
        yield EntryLine(label=_("Purpose"), text=_("Nobody has entered why these data are here."), pressing=True)
    if entry.erased:
        yield EntryLine(label=_("Erased with proof"), text=str(entry.erased))


def _found(kind: KindFound) -> str:
    documents = ngettext("in %(n)s document", "in %(n)s documents", kind.documents) % {"n": kind.documents}
    return f"{kind.name}: {kind.places} ({documents})"


def _readers(entry: RegisterEntry) -> Iterator[str]:
    yield entry.readers
    if n := entry.own_readers:
        text = ngettext("%(n)s document has readers of its own.", "%(n)s documents have readers of their own.", n)
        yield text % {"n": n}
    if entry.collection.mask_personal_data:
        yield _("Personal data are covered for readers without the permission to see them.")


def _entered(record: ProcessingRecord) -> Iterator[EntryLine]:
    yield EntryLine(label=_("Purpose"), text=record.purpose)
    basis = ", ".join(filter(None, (str(record.get_basis_display()), record.provision)))
    yield EntryLine(label=_("Legal basis"), text=basis)
    if record.persons:
        yield EntryLine(label=_("Whose data"), text=record.persons)
    if record.recipients:
        yield EntryLine(label=_("Recipients"), text=record.recipients)


def _term(record: ProcessingRecord) -> str:
    if not (n := record.term_days):
        return _("as long as the document stays")
    told = {
        "term": ngettext("%(n)s day", "%(n)s days", n) % {"n": n},
        "start": record.get_counted_from_display(),
        "ending": ending_in_words(record.ending),
    }
    return _("%(term)s, counted from %(start)s; after that: %(ending)s.") % told


def ending_in_words(ending: str) -> str:
    """What becomes of a document after its term."""
    erased = ending == ProcessingRecord.Ending.ERASE
    return _("erasure with every trace") if erased else _("archiving")


def _overdue(n: int) -> str:
    return ngettext("Tonight %(n)s document ends.", "Tonight %(n)s documents end.", n) % {"n": n}
