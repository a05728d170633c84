"""`manage.py index`: files of this machine into a collection; running it again takes in what changed."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from django.core.management.base import CommandError
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ingestion.errors import IngestionError
from ingestion.management.commands._indexing import index_waiting, report_lines
from ingestion.models import Collection, Document
from ingestion.services.files.arrivals import Arrival
from ingestion.services.files.local_files import LocalFiles, WhenTaken
from ingestion.services.files.uploads import NameTaken
from knowledgetree import console

OUTCOMES = {
    "new": gettext_lazy("new"),
    "version": gettext_lazy("new versions"),
    "fields": gettext_lazy("read again"),
    "unchanged": gettext_lazy("unchanged"),
    "archived": gettext_lazy("in the archive, left out"),
    "refused": gettext_lazy("not taken"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedFile:
    path: Path
    code: str
    message: str


class Command(console.Command):
    help = gettext_noop("Index a file or a folder with everything below it. Running it again updates what changed.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)
        parser.add_argument("--collection", required=True, help=_("its identifier or name; made if there is none"))
        parser.add_argument(
            "--visibility",
            choices=Collection.Visibility.values,
            default=Collection.Visibility.INTERNAL,
            help=_("of a new collection (default: internal)"),
        )
        parser.add_argument(
            "--when-taken",
            choices=get_args(WhenTaken),
            default="ask",
            help=_(
                "what a file is whose name a document of another place has: a new version of it, another document, or "
                "refused with the question (default)"
            ),
        )
        parser.add_argument("--queue", action="store_true", help=_("leave the work to the running worker"))
        parser.add_argument("--json", action="store_true", help=_("what became of each file, as JSON"))

    def handle(self, *, path: Path, collection: str, queue: bool, **options: Any) -> None:
        if not path.exists():
            raise CommandError(_("There is no such file or folder: %(path)s") % {"path": path})
        target, is_new = _ensure_collection(collection, options["visibility"])
        files = LocalFiles(target, when_taken=options["when_taken"])
        results = list(_take(files, path, queue=queue))
        if not results:
            raise CommandError(_("In %(path)s there is no file that can be indexed.") % {"path": path})
        arrivals = [result for result in results if isinstance(result, Arrival)]
        fresh = [arrival.document for arrival in arrivals if arrival.outcome not in ("unchanged", "archived")]
        if fresh and not queue:
            with self.progress_bar(_("Indexing")) as progress:
                index_waiting(fresh, progress)
        documents = Document.objects.in_bulk([arrival.document.pk for arrival in arrivals])
        if self.as_json:
            self.say_json(_as_json(target, results, documents), indent=None)
            return
        if is_new:
            named = {"name": target, "readers": target.get_visibility_display()}
            self.say(_("New collection “%(name)s” (%(readers)s).") % named)
        self._write_words(results, [documents[arrival.document.pk] for arrival in arrivals], queue=queue)

    def _write_words(
        self, results: Sequence[Arrival | RefusedFile], documents: Sequence[Document], *, queue: bool
    ) -> None:
        counts = Counter(_outcome(result) for result in results)
        self.say(", ".join(f"{word}: {counts[name]}" for name, word in OUTCOMES.items() if counts[name]))
        for refused in results:
            if isinstance(refused, RefusedFile):
                self.stderr.write(f"  ✗ {refused.path}\n    {refused.message}")
        if queue:
            self.say(_("Indexing goes on in the background. Progress: admin → Jobs."))
        else:
            self.say_all(report_lines(documents))


def files_below(path: Path) -> Iterator[Path]:
    """`path` itself, or the files of the folder in order, hidden ones left out."""
    if path.is_file():
        yield path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts):
            yield file


def _ensure_collection(name: str, visibility: str) -> tuple[Collection, bool]:
    """And whether it is new."""
    slug = slugify(name)
    if not slug:
        raise CommandError(_("The collection's name %(name)r has no letters and no digits.") % {"name": name})
    return Collection.objects.get_or_create(slug=slug, defaults={"name": name, "visibility": visibility})


def _take(files: LocalFiles, path: Path, *, queue: bool) -> Iterator[Arrival | RefusedFile]:
    root = path if path.is_dir() else path.parent
    for file in files_below(path):
        try:
            yield files.take(file, uri=file.relative_to(root).as_posix(), enqueue=queue)
        except NameTaken as error:
            say = _("Give --when-taken version (a new version) or --when-taken another (another document).")
            yield RefusedFile(path=file, code=error.code, message=f"{error.message} {say}")
        except IngestionError as error:
            yield RefusedFile(path=file, code=error.code, message=str(error))
        except OSError as error:
            yield RefusedFile(path=file, code="unreadable", message=str(error))


def _outcome(result: Arrival | RefusedFile) -> str:
    return "refused" if isinstance(result, RefusedFile) else result.outcome


def _as_json(
    collection: Collection, results: Sequence[Arrival | RefusedFile], documents: Mapping[int, Document]
) -> dict[str, Any]:
    told = [_told(result, documents) for result in results]
    counts = Counter(_outcome(result) for result in results)
    return {"collection": collection.slug, "counts": counts, "files": told}


def _told(result: Arrival | RefusedFile, documents: Mapping[int, Document]) -> dict[str, Any]:
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
