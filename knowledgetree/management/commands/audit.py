from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime, time
from typing import Any

from django.core.management.base import CommandError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from knowledgetree import console
from knowledgetree.audit.exporting import csv_pieces
from knowledgetree.audit.forgetting import erase_person
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record_strictly

Action = AuditEntry.Action


def day(text: str) -> datetime:
    """The beginning of a day, here."""
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None:
        raise ArgumentTypeError(_("write a day as 2026-11-23"))
    return timezone.make_aware(datetime.combine(found, time.min))


class Command(console.Command):
    help = gettext_noop(
        "Show the audit log or write it to a file: who read, asked, downloaded, exported or changed what."
    )
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--since", type=day, help=_("from this day on, such as 2026-11-23"))
        parser.add_argument("--until", type=day, help=_("before this day"))
        parser.add_argument("--user", default="", help=_("of this account alone"))
        parser.add_argument("--action", default="", choices=Action.values, help=_("of this kind alone"))
        parser.add_argument("--document", type=int, help=_("about the document of this number alone"))
        parser.add_argument("--csv", default="", metavar="FILE", help=_("write them there, for an inspector"))
        parser.add_argument(
            "--erase-person", default="", metavar="USER",
            help=_("take the name, the addresses and the words of an account out of the log; what was done stays"),
        )  # fmt: skip

    def handle(self, **options: Any) -> None:
        if name := options["erase_person"]:
            n = erase_person(name)
            self.say(ngettext("%(n)d entry was emptied.", "%(n)d entries were emptied.", n) % {"n": n})
            return
        entries = _chosen(options)
        if options["csv"]:
            self._write(entries, options["csv"], options)
            return
        for entry in entries.order_by("at", "pk").iterator():
            self.say(_line(entry))

    def _write(self, entries: "QuerySet[AuditEntry]", place: str, options: dict[str, Any]) -> None:
        """Recorded first: a log of who took the log away has no gaps."""
        shown = {name: str(options[name]) for name in ("since", "until", "user", "action", "document") if options[name]}
        record_strictly(Action.EXPORT, subject=Subject(kind=AuditEntry._meta.label_lower), details={"shown": shown})
        try:
            with open(place, "w", encoding="utf-8", newline="") as file:
                for piece in csv_pieces(entries):
                    file.write(piece)
        except OSError as error:
            raise CommandError(_("%(file)s cannot be written: %(error)s") % {"file": place, "error": error}) from error
        self.say(_("Written: %(file)s") % {"file": place})


def _chosen(options: dict[str, Any]) -> "QuerySet[AuditEntry]":
    entries = AuditEntry.objects.all()
    if options["since"]:
        entries = entries.filter(at__gte=options["since"])
    if options["until"]:
        entries = entries.filter(at__lt=options["until"])
    if options["user"]:
        entries = entries.filter(user_name=options["user"])
    if options["action"]:
        entries = entries.filter(action=options["action"])
    return entries.filter(documents__contains=[options["document"]]) if options["document"] else entries


def _line(entry: AuditEntry) -> str:
    who = entry.user_name or entry.session or "–"
    about = [entry.subject_type, entry.label or entry.subject, " ".join(map(str, entry.documents)), entry.text]
    cells = [f"{timezone.localtime(entry.at):%Y-%m-%d %H:%M:%S}", who, entry.door, entry.get_action_display()]
    return "  ".join([*cells, entry.outcome, *about]).rstrip()
