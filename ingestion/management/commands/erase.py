from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ingestion.models import Document
from ingestion.services.erasure import erase_document
from knowledgetree import console

COUNTED = {
    "chunks": gettext_lazy("chunks"),
    "versions": gettext_lazy("versions"),
    "answers": gettext_lazy("answers emptied"),
    "judgements": gettext_lazy("judgements in question sets"),
    "names": gettext_lazy("names"),
    "words": gettext_lazy("words"),
}


class Command(console.Command):
    help = gettext_noop(
        "Erase a document with every trace of its words, in the index, in answers and in conversations. For good."
    )
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--document", type=int, required=True, help=_("its number, as in the address of its page"))
        parser.add_argument("--yes", action="store_true", help=_("do not ask"))

    def handle(self, *, document: int, **options: Any) -> None:
        found = Document.objects.select_related("collection").filter(pk=document).first()
        if found is None:
            raise CommandError(_("There is no document %(number)d.") % {"number": document})
        if not options["yes"] and not self._ask_to_confirm(found):
            self.say(_("Nothing was erased."))
            return
        erasure = erase_document(document=found)
        counts = ", ".join(f"{COUNTED.get(name, name)}: {n}" for name, n in erasure.counts.items())
        said = _("Document %(number)d is erased (%(counts)s).") % {"number": document, "counts": counts}
        self.say(self.style.SUCCESS(said))

    def _ask_to_confirm(self, document: Document) -> bool:
        about = {"title": document.title, "collection": document.collection, "chunks": document.chunk_count}
        self.say(_("“%(title)s” (%(collection)s), chunks: %(chunks)d") % about)
        yes = _("yes")
        question = _("Erase it for good, with what conversations quote of it? Type “%(yes)s”: ") % {"yes": yes}
        return input(question).strip().lower() == yes
