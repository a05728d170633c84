from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.models import Collection
from rag.insight.communities.building import Built, build_communities


class Command(BaseCommand):
    help = "Grupuje dokumenty kolekcji według tematów i streszcza każdą grupę. Przerwane można uruchomić ponownie."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", help="Identyfikator kolekcji; bez niego wszystkie.")

    def handle(self, *, collection: str | None, **options: Any) -> None:
        chosen = Collection.objects.filter(slug=collection) if collection else Collection.objects.all()
        if collection and not chosen:
            raise CommandError(f"Nie ma kolekcji {collection}.")
        for one in chosen:
            self._write(one, build_communities(collection=one))
        if not chosen:
            self.stdout.write("Nie ma jeszcze żadnej kolekcji.")

    def _write(self, collection: Collection, built: Built) -> None:
        how = f", napisane przez model: {built.written}" if built.written else ""
        self.stdout.write(f"{collection.name}: grupy {built.communities}, dokumenty w grupach {built.documents}{how}")
