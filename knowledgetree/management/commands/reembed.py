import json
import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from ingestion.jobs import run_job
from ingestion.jobs.queue import forget
from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.reembedding.state import space_state
from ingestion.selectors import configured_model
from ingestion.services import spaces
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.management.commands._rechunking import RechunkingCommand
from knowledgetree.management.commands._reembedding_output import (
    FillingBar,
    filling_bar,
    state_lines,
    state_values,
    state_word,
)
from knowledgetree.postgres.connections import borrowed_connections

_POLL_SECONDS = 1.0
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


class Command(BaseCommand):
    help = (
        "Compute the vectors of every chunk anew, in a space of their own, while the old ones serve. "
        "Interrupted or killed, it goes on where it was. With --rechunk the stored texts are split anew as well."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--space", metavar="NAME", default="", help="the space; a new one where there is none")
        parser.add_argument("--embedder", metavar="NAME", default="", help="of a new space (default: the settings')")
        parser.add_argument("--model", metavar="NAME", default="", help="of a new space (default: the settings')")
        parser.add_argument("--sentence-vectors", action="store_true", help="a vector for every sentence too")
        parser.add_argument("--activate", action="store_true", help="search in it as soon as it is full")
        parser.add_argument(
            "--gate", metavar="SET", default="", help="stored set; refuse or put back where it is worse"
        )
        parser.add_argument("--margin", type=float, default=0.01, help="loss of nDCG@10 that --gate lets pass")
        _add_rechunking(parser)
        actions = parser.add_mutually_exclusive_group()
        for name, words in _ACTIONS.items():
            actions.add_argument(f"--{name}", action="store_true", help=words)
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        self._said = ""
        self._json, self._quiet = options["json"], options["verbosity"] == 0
        action = next((name for name in _ACTIONS if options[name.replace("-", "_")]), "fill")
        action = "rechunk" if options["rechunk"] else action
        _refuse_mixture(options)
        try:
            getattr(self, f"_{action.replace('-', '_')}")(options)
        except (KnowledgeTreeError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error

    def _list(self, options: dict[str, Any]) -> None:
        states = [space_state(space) for space in EmbeddingSpace.objects.all()]
        if self._json:
            self.stdout.write(json.dumps([state_values(state) for state in states], ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(state_lines(states)) or "Nie ma jeszcze żadnej przestrzeni wektorowej.")

    def _pause(self, options: dict[str, Any]) -> None:
        space = self._named(options)
        spaces.pause_space(space=space)
        self._say(f"Wstrzymano „{space}”. Dalej: reembed --resume --space {space}")

    def _resume(self, options: dict[str, Any]) -> None:
        self._follow(spaces.resume_space(space=self._named(options), queue=False))

    def _roll_back(self, options: dict[str, Any]) -> None:
        self._follow(spaces.roll_back(queue=False))

    def _drop(self, options: dict[str, Any]) -> None:
        space = self._named(options)
        spaces.drop_space(space=space)
        self._say(f"Usunięto „{space}”.")

    def _rechunk(self, options: dict[str, Any]) -> None:
        command = RechunkingCommand(
            say=self.stdout.write, complain=self.stderr.write, as_json=self._json, quiet=self._quiet
        )
        command.act(options)

    def _fill(self, options: dict[str, Any]) -> None:
        space = self._wanted_space(options)
        if options["activate"]:
            job = spaces.activate_space(space=space, gate=options["gate"], margin=options["margin"], queue=False)
        elif options["gate"]:
            raise CommandError("--gate dotyczy aktywacji; dodaj --activate.")
        else:
            job = spaces.fill_space(space=space, queue=False)
        self._follow(job)

    def _wanted_space(self, options: dict[str, Any]) -> EmbeddingSpace:
        """The one that --space names, the one that is being built, or a new one."""
        name = options["space"]
        described = any(options[key] for key in ("embedder", "model", "sentence_vectors"))
        if name:
            found = EmbeddingSpace.objects.filter(name=name).first()
        elif described:
            found = None
        else:
            found = EmbeddingSpace.objects.filter(status=EmbeddingSpace.Status.BUILDING).first() or _up_to_date()
        return found or self._new_space(name, options)

    def _new_space(self, name: str, options: dict[str, Any]) -> EmbeddingSpace:
        space = spaces.create_space(
            embedder=options["embedder"] or rag_settings().embedder,
            options={"model": options["model"]} if options["model"] else None,
            sentence_vectors=options["sentence_vectors"],
            name=name,
            queue=False,
        )
        self._say(f"Nowa przestrzeń „{space}”: {space.model}, wymiar {space.dimension}.")
        return space

    def _named(self, options: dict[str, Any]) -> EmbeddingSpace:
        known = ", ".join(EmbeddingSpace.objects.values_list("name", flat=True)) or "nie ma żadnej"
        if not options["space"]:
            raise CommandError(f"Podaj --space. Przestrzenie: {known}.")
        try:
            return EmbeddingSpace.objects.get(name=options["space"])
        except EmbeddingSpace.DoesNotExist:
            raise CommandError(f"Nie ma przestrzeni „{options['space']}”. Przestrzenie: {known}.") from None

    def _follow(self, job: Job) -> None:
        """Take part in the job until it ends, beside any worker, and say how it ended."""
        ended = threading.Event()
        try:
            with filling_bar(quiet=self._quiet or self._json) as bar:
                watcher = threading.Thread(target=_watch, args=[job, bar, ended], daemon=True)
                watcher.start()
                while _is_unfinished(job):
                    run_job(str(job.pk))
                    self._complain(job)
                    if _is_unfinished(job):
                        time.sleep(_POLL_SECONDS)  # a worker has it, or it waits after a failure
                ended.set()
                watcher.join()
        except KeyboardInterrupt:
            raise CommandError(
                f"Przerwano. Policzone wektory zostają; dalej: manage.py reembed --space {_space_of(job).name}"
            ) from None
        finally:
            ended.set()
            forget(job)
        self._conclude(job)

    def _complain(self, job: Job) -> None:
        """Say once why the work waits."""
        error = _space_of(job).error
        if error and error != self._said:
            self.stderr.write(f"{error} Następna próba nastąpi sama.")
        self._said = error

    def _conclude(self, job: Job) -> None:
        job.refresh_from_db()
        space = _space_of(job)
        if job.status == Job.Status.FAILED:
            raise CommandError(job.error_message)
        if self._json:
            self.stdout.write(json.dumps(state_values(space_state(space)), ensure_ascii=False, indent=2))
            return
        state = space_state(space)
        self._say(f"„{space}”: fragmenty {state.progress.done} z {state.progress.total}, {state_word(space)}.")
        if space.status == EmbeddingSpace.Status.BUILDING and not space.paused:
            self._say(f"Aby w niej wyszukiwać: manage.py reembed --space {space} --activate")

    def _say(self, line: str) -> None:
        if not self._json:
            self.stdout.write(line)


_ACTIONS = {
    "list": "show every space",
    "pause": "stop filling the space",
    "resume": "go on filling it",
    "roll-back": "search in the space that was active before",
    "drop": "delete a space that is not active",
}
_OF_SPACES = ("space", "embedder", "model", "sentence_vectors", "activate", "drop")
_OF_CHUNKING = ("chunker", "chunk_size", "overlap", "option", "collection", "as_settings", "from_originals")


def _add_rechunking(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("splitting texts anew; --list, --pause, --resume and --roll-back go with it")
    group.add_argument("--rechunk", action="store_true", help="split and embed the stored texts of documents anew")
    group.add_argument("--chunker", metavar="NAME", default="", help="new chunker (default: as each collection has it)")
    group.add_argument("--chunk-size", type=int, metavar="N", help="largest chunk, in estimated tokens")
    group.add_argument("--overlap", type=int, metavar="N", help="what neighbouring chunks may share")
    group.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of the chunker")
    group.add_argument("--as-settings", action="store_true", help="back to what the settings say")
    group.add_argument("--collection", nargs="+", default=[], metavar="SLUG", help="only these (default: all)")
    group.add_argument("--from-originals", action="store_true", help="queue every document to be read anew instead")


def _refuse_mixture(options: dict[str, Any]) -> None:
    """What concerns spaces does not go with --rechunk, and the other way round."""
    wrong = [name for name in (_OF_SPACES if options["rechunk"] else _OF_CHUNKING) if options[name]]
    if wrong:
        words = "nie łączy się z --rechunk" if options["rechunk"] else "działa tylko z --rechunk"
        raise CommandError(f"--{wrong[0].replace('_', '-')} {words}.")


def _up_to_date() -> EmbeddingSpace | None:
    """The active space, if its vectors are those of the settings' model; what it may lack can be filled."""
    embedder = rag_settings().embedder
    return EmbeddingSpace.objects.filter(
        status=EmbeddingSpace.Status.ACTIVE, embedder=embedder, model=configured_model(embedder)
    ).first()


@borrowed_connections()
def _watch(job: Job, bar: FillingBar, ended: threading.Event) -> None:
    while not ended.wait(_POLL_SECONDS):
        now = Job.objects.select_related("space").filter(pk=job.pk).first()
        if now and now.space:
            bar.show(now, space_state(now.space))


def _is_unfinished(job: Job) -> bool:
    return Job.objects.filter(pk=job.pk, status__in=_UNFINISHED).exists()


def _space_of(job: Job) -> EmbeddingSpace:
    return EmbeddingSpace.objects.get(jobs=job)
