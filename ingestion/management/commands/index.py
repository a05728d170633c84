"""`manage.py index`: files of this machine into a collection; running it again takes in what changed."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from ingestion.errors import IngestionError
from ingestion.management.commands._progress import index_waiting, write_report
from ingestion.models import Collection, Document
from ingestion.services.files.arrivals import Arrival
from ingestion.services.files.local_files import LocalFiles, WhenTaken
from ingestion.services.files.uploads import NameTaken

OUTCOMES = {
    "new": "nowe",
    "version": "nowe wersje",
    "fields": "odczytane ponownie",
    "unchanged": "bez zmian",
    "archived": "w archiwum, pominięte",
    "refused": "odrzucone",
}
_HOW_TO_SAY = "Podaj --when-taken version (nowa wersja) albo --when-taken another (inny dokument)."


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFile:
    path: Path
    code: str
    message: str


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
        parser.add_argument(
            "--when-taken",
            choices=get_args(WhenTaken),
            default="ask",
            help="what a file is whose name a document of another place has: a new version of it, another document, or "
            "refused with the question (default)",
        )
        parser.add_argument("--queue", action="store_true", help="leave the work to the running worker")
        parser.add_argument("--json", action="store_true", help="what became of each file, as JSON")

    def handle(self, *, path: Path, collection: str, queue: bool, **options: Any) -> None:
        if not path.exists():
            raise CommandError(f"Nie ma takiego pliku ani folderu: {path}")
        target, is_new = _collection(collection, options["visibility"])
        files = LocalFiles(target, when_taken=options["when_taken"])
        results = list(_take(files, path, queue=queue))
        if not results:
            raise CommandError(f"W {path} nie ma żadnego pliku, który można zindeksować.")
        arrivals = [result for result in results if isinstance(result, Arrival)]
        fresh = [arrival.document for arrival in arrivals if arrival.outcome not in ("unchanged", "archived")]
        if fresh and not queue:
            index_waiting(fresh, quiet=options["verbosity"] == 0 or options["json"])
        documents = Document.objects.in_bulk([arrival.document.pk for arrival in arrivals])
        if options["json"]:
            self.stdout.write(_as_json(target, results, documents))
            return
        if is_new:
            self.stdout.write(f"Nowa kolekcja „{target}” ({target.get_visibility_display()}).")
        self._write_words(results, [documents[arrival.document.pk] for arrival in arrivals], queue=queue)

    def _write_words(
        self, results: Sequence[Arrival | RefusedFile], documents: Sequence[Document], *, queue: bool
    ) -> None:
        counts = Counter(_outcome(result) for result in results)
        self.stdout.write(", ".join(f"{word}: {counts[name]}" for name, word in OUTCOMES.items() if counts[name]))
        for refused in results:
            if isinstance(refused, RefusedFile):
                self.stderr.write(f"  ✗ {refused.path}\n    {refused.message}")
        if queue:
            self.stdout.write("Indeksowanie trwa w tle. Postęp: panel administracyjny → Zadania.")
        else:
            write_report(documents, self.stdout)


def files_below(path: Path) -> Iterator[Path]:
    """`path` itself, or the files of the folder in order, hidden ones left out."""
    if path.is_file():
        yield path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts):
            yield file


def _collection(name: str, visibility: str) -> tuple[Collection, bool]:
    """And whether it is new."""
    slug = slugify(name)
    if not slug:
        raise CommandError(f"Nazwa kolekcji {name!r} nie zawiera liter ani cyfr.")
    return Collection.objects.get_or_create(slug=slug, defaults={"name": name, "visibility": visibility})


def _take(files: LocalFiles, path: Path, *, queue: bool) -> Iterator[Arrival | RefusedFile]:
    root = path if path.is_dir() else path.parent
    for file in files_below(path):
        try:
            yield files.take(file, uri=file.relative_to(root).as_posix(), enqueue=queue)
        except NameTaken as error:
            yield RefusedFile(path=file, code=error.code, message=f"{error.message} {_HOW_TO_SAY}")
        except IngestionError as error:
            yield RefusedFile(path=file, code=error.code, message=str(error))
        except OSError as error:
            yield RefusedFile(path=file, code="unreadable", message=str(error))


def _outcome(result: Arrival | RefusedFile) -> str:
    return "refused" if isinstance(result, RefusedFile) else result.outcome


def _as_json(collection: Collection, results: Sequence[Arrival | RefusedFile], documents: dict[int, Document]) -> str:
    told = [_told(result, documents) for result in results]
    counts = Counter(_outcome(result) for result in results)
    return json.dumps({"collection": collection.slug, "counts": counts, "files": told}, ensure_ascii=False)


def _told(result: Arrival | RefusedFile, documents: dict[int, Document]) -> dict[str, Any]:
    if isinstance(result, RefusedFile):
        return {
            "outcome": "refused",
            "path": str(result.path),
            "error_code": result.code,
            "error_message": result.message,
        }
    document = documents[result.document.pk]
    return {
        "outcome": result.outcome,
        "uri": document.uri,
        "document": document.pk,
        "title": document.title,
        "status": document.status,
        "chunks": document.chunk_count,
        "error_code": document.error_code,
        "error_message": document.error_message,
        "warnings": document.warnings,
    }
