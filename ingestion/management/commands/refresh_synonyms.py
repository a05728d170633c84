from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.services.lexicon.packs import shipped_packs
from ingestion.services.lexicon.upgrade import load_packs
from ingestion.services.synonyms import refresh_phrases
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop(
        "Lemmatise all synonyms and glossary entries again, after an upgrade that changed the lemmatiser."
    )

    def handle(self, **options: Any) -> None:
        with self.progress_bar(_("Synonyms and glossary")) as progress:
            changed = refresh_phrases(progress=progress)
        load_packs(shipped_packs(), anew=True)
        self.say(_("Entries changed: %(n)d.") % {"n": changed})
