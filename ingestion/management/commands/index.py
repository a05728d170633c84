from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from ingestion.errors import IngestionError
from ingestion.management.commands._progress import index_waiting, write_report
from ingestion.models import Collection, Document
from ingestion.services.documents import add_document


class Command(BaseCommand):
    help = "Index a file or a folder with everything below it. Running it again updates what changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--collection", required=True, help="its identifier or name; made if there is none")
        parser.add_argument(
            "--visibility",
            choices=Collection.Visibility.values,
            default=Collection.Visibility.INTERNAL,
            help="of a new collection (default: internal)",
        )
        parser.add_argument("--queue", action="store_true", help="leave the work to the running worker")

    def handle(self, *, path: Path, collection: str, visibility: str, queue: bool, **options: Any) -> None:
        if not path.exists():
            raise CommandError(f"Nie ma takiego pliku ani folderu: {path}")
        target = self._collection(collection, visibility)
        root = path if path.is_dir() else path.parent
        documents = list(self._add(files_below(path), root, target, queue=queue))
        if not documents:
            raise CommandError(f"W {path} nie ma żadnego pliku, który można zindeksować.")
        if queue:
            self.stdout.write(f"W kolejce: {len(documents)}. Postęp: panel administracyjny → Zadania.")
            return
        write_report(index_waiting(documents, quiet=options["verbosity"] == 0), self.stdout)

    def _collection(self, name: str, visibility: str) -> Collection:
        slug = slugify(name)
        if not slug:
            raise CommandError(f"Nazwa kolekcji {name!r} nie zawiera liter ani cyfr.")
        collection, created = Collection.objects.get_or_create(
            slug=slug, defaults={"name": name, "visibility": visibility}
        )
        if created:
            self.stdout.write(f"Nowa kolekcja „{collection}” ({collection.get_visibility_display()}).")
        return collection

    def _add(self, files: Iterator[Path], root: Path, collection: Collection, *, queue: bool) -> Iterator[Document]:
        for file in files:
            try:
                yield add_document(
                    collection=collection,
                    name=file.name,
                    content=file.read_bytes(),
                    uri=file.relative_to(root).as_posix(),
                    enqueue=queue,
                )
            except (IngestionError, OSError) as error:
                self.stderr.write(f"  ✗ {file}\n    {error}")


def files_below(path: Path) -> Iterator[Path]:
    """`path` itself, or the files of the folder in order, hidden ones left out."""
    if path.is_file():
        yield path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts):
            yield file
