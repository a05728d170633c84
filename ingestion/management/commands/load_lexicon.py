from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from ingestion.services.lexicon.packs import shipped_packs
from ingestion.services.lexicon.upgrade import load_packs
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop(
        "Load the lexicon of everyday words that comes with this release. What is switched off stays off; loading "
        "again changes nothing."
    )

    def handle(self, **options: Any) -> None:
        packs = shipped_packs()
        loaded = load_packs(packs)
        said = ngettext(
            "Lexicon of everyday words: %(n)d group loaded.", "Lexicon of everyday words: %(n)d groups loaded.", loaded
        )
        self.say(said % {"n": loaded} if loaded else _("The lexicon of everyday words is up to date."))
