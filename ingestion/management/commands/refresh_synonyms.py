from typing import Any

from django.core.management.base import BaseCommand

from ingestion.management.commands._counting_bar import counted
from ingestion.services.synonyms import refresh_phrases


class Command(BaseCommand):
    help = "Lemmatise all synonyms and glossary entries again, after an upgrade that changed the lemmatiser."

    def handle(self, **options: Any) -> None:
        with counted("Synonimy i słownik", quiet=options["verbosity"] == 0) as progress:
            changed = refresh_phrases(progress=progress)
        self.stdout.write(f"Zmienione wpisy: {changed}.")
