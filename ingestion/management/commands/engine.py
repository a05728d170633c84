"""`manage.py engine`: the search engine beside PostgreSQL, filled, compared, switched to, looked at."""

import time
from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ingestion.index.engine import changes, generations, verification
from ingestion.index.engine.state import GenerationState, generation_states
from ingestion.models import Chunk, EngineGeneration
from knowledgetree import console
from knowledgetree.conf import rag_settings
from knowledgetree.search_engine.configuration import POSTGRES, QDRANT
from knowledgetree.search_engine.connection import Engine, connect

STATUSES = {
    "building": gettext_lazy("being filled"),
    "active": gettext_lazy("in use"),
}
_ACTIONS = ("rebuild", "verify", "switch", "status")
_LOOK = 0.2  # seconds


class Command(console.Command):
    help = gettext_noop(
        "Qdrant beside PostgreSQL. rebuild fills a new generation while the old one serves, and goes on where it was "
        "interrupted; verify compares it with PostgreSQL; switch has searches look into it; status shows what there is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=_ACTIONS)
        parser.add_argument("--to", choices=(QDRANT, POSTGRES), default=QDRANT, help=_("switch: what searches use"))
        parser.add_argument("--switch", action="store_true", help=_("rebuild: switch as soon as it is full"))
        parser.add_argument("--repair", action="store_true", help=_("verify: have the engine told of what differs"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, action: str, **options: Any) -> None:
        try:
            getattr(self, f"_{action}")(options)
        except KeyboardInterrupt:
            raise CommandError(_("Interrupted. To go on, give the same command again.")) from None

    def _rebuild(self, options: dict[str, Any]) -> None:
        settings, engine = rag_settings(), _engine()
        generation = generations.begin_generation(engine, settings=settings.search_engine, lexical=settings.lexical)
        with self.progress_bar(_("Chunks")) as bar:
            while generations.waits_for_writers(generation):
                bar(0, None, doing=_("waiting for documents that are being written"))
                time.sleep(_LOOK)
            total, done = Chunk.objects.count(), generations.filled_chunks(generation)
            while written := generations.fill_generation(engine, generation):
                bar(done := done + written, max(done, total))
        self.say(_("Generation %(number)s is full.") % {"number": generation.pk})
        if options["switch"]:
            self._switch({"to": QDRANT})
        else:
            self.say(_("To search in it: knowledgetree engine switch"))

    def _verify(self, options: dict[str, Any]) -> None:
        engine, generation = _engine(), _newest()
        found: Counter[str] = Counter()
        with self.progress_bar(_("Chunks")) as bar:
            total = Chunk.objects.count()
            for difference in verification.compare(engine, generation):
                found.update(
                    compared=difference.compared,
                    missing=len(difference.missing),
                    changed=len(difference.changed),
                    surplus=len(difference.surplus),
                )
                if options["repair"]:
                    changes.note_chunks(generation, difference.chunks)
                bar(min(found["compared"], total), total)
        while options["repair"] and changes.tell_changes(engine, generation):
            pass
        counts = {name: found[name] for name in ("compared", "missing", "changed", "surplus")}
        if self.as_json:
            self.say_json({"generation": generation.pk, "repaired": options["repair"], **counts})
        told = _("Compared: %(compared)d. Missing: %(missing)d, other: %(changed)d, too many: %(surplus)d.") % counts
        self.say(told)
        if any(found[name] for name in ("missing", "changed", "surplus")):
            if not options["repair"]:
                raise CommandError(_("To have the engine told: knowledgetree engine verify --repair"))
            self.say(_("The engine was told."))

    def _switch(self, options: dict[str, Any]) -> None:
        if options["to"] == POSTGRES:
            generations.retire_generations(EngineGeneration.Status.ACTIVE, EngineGeneration.Status.BUILDING)
            self.say(_("PostgreSQL searches. What Qdrant has is deleted a minute from now, by the worker."))
            return
        generation = generations.switch_generation(_engine())
        self.say(_("Searches look into generation %(number)s.") % {"number": generation.pk})

    def _status(self, options: dict[str, Any]) -> None:
        states = generation_states()
        if self.as_json:
            self.say_json({"backend": rag_settings().search_engine.backend, "generations": [asdict(s) for s in states]})
        self.say(f"SEARCH_ENGINE={rag_settings().search_engine.backend}")
        self.say_all(map(_line, states))
        if not states:
            self.say(_("There is no generation; PostgreSQL searches. To have one: knowledgetree engine rebuild"))
        if rag_settings().search_engine.backend == QDRANT:
            with _engine().reach() as client:
                self.say(_("Qdrant answers; version %(version)s") % {"version": client.info().version})


def _engine() -> Engine:
    settings = rag_settings().search_engine
    if settings.backend != QDRANT:
        raise CommandError(_("PostgreSQL alone is searched. Set SEARCH_ENGINE=qdrant and QDRANT_URL first."))
    return connect(settings, writing=True)


def _newest() -> EngineGeneration:
    newest = EngineGeneration.objects.exclude(status=EngineGeneration.Status.RETIRED).order_by("-pk").first()
    if newest is None:
        raise CommandError(_("There is no generation. To have one: knowledgetree engine rebuild"))
    return newest


def _line(state: GenerationState) -> str:
    told = {
        "number": state.number,
        "status": STATUSES[state.status],
        "written": console.grouped(state.written),
        "chunks": console.grouped(state.chunks),
        "waiting": console.grouped(state.waiting),
        "drift": console.percent(state.drift),
    }
    line = _(
        "Generation %(number)s (%(status)s): chunks %(written)s of %(chunks)s, changes to be told: %(waiting)s, "
        "mean length since it was begun: %(drift)s."
    )
    lacks = _("It lacks the vectors that are searched: engine rebuild --switch") if state.lacks_space else ""
    return f"{line % told} {lacks}".strip()
