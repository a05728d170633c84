from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.models import Document
from ingestion.services.erasure import erase_document

COUNTED = {
    "chunks": "fragmenty",
    "versions": "wersje",
    "answers": "wyczyszczone odpowiedzi",
    "judgements": "oceny w zbiorach pytań",
    "names": "nazwy",
    "words": "słowa",
}


class Command(BaseCommand):
    help = "Erase a document with every trace of its words, in the index, in answers and in conversations. For good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--document", type=int, required=True, help="its number, as in the address of its page")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, document: int, **options: Any) -> None:
        found = Document.objects.select_related("collection").filter(pk=document).first()
        if found is None:
            raise CommandError(f"Nie ma dokumentu {document}.")
        if not options["yes"] and not self._confirmed(found):
            self.stdout.write("Nic nie wymazano.")
            return
        erasure = erase_document(document=found)
        counts = ", ".join(f"{COUNTED.get(name, name)}: {n}" for name, n in erasure.counts.items())
        self.stdout.write(self.style.SUCCESS(f"Wymazano dokument {document} ({counts})."))

    def _confirmed(self, document: Document) -> bool:
        self.stdout.write(f"„{document.title}” ({document.collection}), fragmenty: {document.chunk_count}")
        return input("Wymazać na zawsze, razem z cytatami w rozmowach? Napisz „tak”: ").strip().lower() == "tak"
