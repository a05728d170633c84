from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ingestion.management.following import finish_job
from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.gate import default_gate
from ingestion.renewal.reembedding.state import space_state
from ingestion.selectors import configured_model
from ingestion.services import spaces
from knowledgetree import console
from knowledgetree.conf import rag_settings
from knowledgetree.management.commands._rechunking import act
from knowledgetree.management.commands._reembedding_output import show_filling, state_lines, state_values, state_word


class Command(console.Command):
    help = gettext_noop(
        "Compute the vectors of every chunk anew, in a space of their own, while the old ones serve. "
        "Interrupted or killed, it goes on where it was. With --rechunk the stored texts are split anew as well."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        of_new_space = _("of a new space (default: the settings')")
        parser.add_argument("--space", metavar="NAME", default="", help=_("the space; a new one where there is none"))
        parser.add_argument("--embedder", metavar="NAME", default="", help=of_new_space)
        parser.add_argument("--model", metavar="NAME", default="", help=of_new_space)
        parser.add_argument("--sentence-vectors", action="store_true", help=_("a vector for every sentence too"))
        parser.add_argument("--activate", action="store_true", help=_("search in it as soon as it is full"))
        parser.add_argument(
            "--gate",
            metavar="SET",
            help=_("stored set; refuse or put back where it is worse (default: the sample's, where it is; '': none)"),
        )
        parser.add_argument("--margin", type=float, default=0.01, help=_("loss of nDCG@10 that --gate lets pass"))
        _add_rechunking(parser)
        actions = parser.add_mutually_exclusive_group()
        for name, words in _ACTIONS.items():
            actions.add_argument(f"--{name}", action="store_true", help=str(words))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, **options: Any) -> None:
        _refuse_mixture(options)
        if options["rechunk"]:
            act(self, options)
            return
        action = next((name for name in _ACTIONS if options[name.replace("-", "_")]), "fill")
        getattr(self, f"_{action.replace('-', '_')}")(options)

    def _list(self, options: dict[str, Any]) -> None:
        states = [space_state(space) for space in EmbeddingSpace.objects.all()]
        if self.as_json:
            self.say_json([state_values(state) for state in states])
        self.say("\n".join(state_lines(states)) or _("There is no embedding space yet."))

    def _pause(self, options: dict[str, Any]) -> None:
        space = self._named(options)
        spaces.pause_space(space=space)
        self.say(_("Paused: “%(space)s”. To go on: reembed --resume --space %(space)s") % {"space": space})

    def _resume(self, options: dict[str, Any]) -> None:
        self._follow(spaces.resume_space(space=self._named(options), queue=False))

    def _roll_back(self, options: dict[str, Any]) -> None:
        self._follow(spaces.roll_back(queue=False))

    def _drop(self, options: dict[str, Any]) -> None:
        space = self._named(options)
        spaces.drop_space(space=space)
        self.say(_("Deleted: “%(space)s”.") % {"space": space})

    def _fill(self, options: dict[str, Any]) -> None:
        space = self._get_space(options)
        if options["activate"]:
            gate = default_gate() if options["gate"] is None else options["gate"]
            job = spaces.activate_space(space=space, gate=gate, margin=options["margin"], queue=False)
        elif options["gate"]:
            raise CommandError(_("--gate is about activation; add --activate."))
        else:
            job = spaces.fill_space(space=space, queue=False)
        self._follow(job)

    def _get_space(self, options: dict[str, Any]) -> EmbeddingSpace:
        """The one that --space names, the one that is being built, or a new one."""
        name = options["space"]
        described = any(options[key] for key in ("embedder", "model", "sentence_vectors"))
        if name:
            found = EmbeddingSpace.objects.filter(name=name).first()
        elif described:
            found = None
        else:
            found = EmbeddingSpace.objects.filter(status=EmbeddingSpace.Status.BUILDING).first() or _up_to_date()
        return found or self._create_space(name, options)

    def _create_space(self, name: str, options: dict[str, Any]) -> EmbeddingSpace:
        space = spaces.create_space(
            embedder=options["embedder"] or rag_settings().embedder,
            options={"model": options["model"]} if options["model"] else None,
            sentence_vectors=options["sentence_vectors"],
            name=name,
            queue=False,
        )
        about = {"space": space, "model": space.model, "dimension": space.dimension}
        self.say(_("New space “%(space)s”: %(model)s, dimension %(dimension)d.") % about)
        return space

    def _named(self, options: dict[str, Any]) -> EmbeddingSpace:
        known = {"known": ", ".join(EmbeddingSpace.objects.values_list("name", flat=True)) or _("there is none")}
        if not options["space"]:
            raise CommandError(_("Give --space. Spaces: %(known)s.") % known)
        try:
            return EmbeddingSpace.objects.get(name=options["space"])
        except EmbeddingSpace.DoesNotExist:
            missing = _("There is no space “%(space)s”. Spaces: %(known)s.") % {"space": options["space"], **known}
            raise CommandError(missing) from None

    def _follow(self, job: Job) -> None:
        """Take part in the job until it ends, and say how it ended."""
        told = {""}

        def complain() -> None:
            if (error := _space_of(job).error) not in told:
                told.add(error)
                self.stderr.write(_("%(error)s The next try comes by itself.") % {"error": error})

        try:
            with self.progress_bar(_("Vectors")) as bar:
                finish_job(job, look=lambda now: show_filling(bar, now), after_attempt=complain)
        except KeyboardInterrupt:
            stopped = _("Interrupted. Vectors computed so far stay; to go on: knowledgetree reembed --space %(space)s")
            raise CommandError(stopped % {"space": _space_of(job)}) from None
        self._conclude(job)

    def _conclude(self, job: Job) -> None:
        job.refresh_from_db()
        space = _space_of(job)
        if job.status == Job.Status.FAILED:
            raise CommandError(job.error_message)
        state = space_state(space)
        if self.as_json:
            self.say_json(state_values(state))
        counts = {"space": space, "done": state.progress.done, "total": state.progress.total, "is": state_word(space)}
        self.say(_("“%(space)s”: chunks %(done)d of %(total)d, %(is)s.") % counts)
        if space.status == EmbeddingSpace.Status.BUILDING and not space.paused:
            self.say(_("To search in it: knowledgetree reembed --space %(space)s --activate") % counts)


_ACTIONS = {
    "list": gettext_lazy("show every space"),
    "pause": gettext_lazy("stop filling the space"),
    "resume": gettext_lazy("go on filling it"),
    "roll-back": gettext_lazy("search in the space that was active before"),
    "drop": gettext_lazy("delete a space that is not active"),
}
_OF_SPACES = ("space", "embedder", "model", "sentence_vectors", "activate", "drop")
_OF_CHUNKING = ("chunker", "chunk_size", "overlap", "option", "collection", "as_settings", "from_originals")


def _add_rechunking(parser: ArgumentParser) -> None:
    group = parser.add_argument_group(_("splitting texts anew; --list, --pause, --resume and --roll-back go with it"))
    for name, words in (
        ("--rechunk", _("split and embed the stored texts of documents anew")),
        ("--as-settings", _("back to what the settings say")),
        ("--from-originals", _("queue every document to be read anew instead")),
    ):
        group.add_argument(name, action="store_true", help=words)
    chunker = _("new chunker (default: as each collection has it)")
    group.add_argument("--chunker", metavar="NAME", default="", help=chunker)
    group.add_argument("--chunk-size", type=int, metavar="N", help=_("largest chunk, in estimated tokens"))
    group.add_argument("--overlap", type=int, metavar="N", help=_("what neighbouring chunks may share"))
    group.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=_("of the chunker"))
    group.add_argument("--collection", nargs="+", default=[], metavar="SLUG", help=_("only these (default: all)"))


def _refuse_mixture(options: dict[str, Any]) -> None:
    """What concerns spaces does not go with --rechunk, and the other way round."""
    wrong = [name for name in (_OF_SPACES if options["rechunk"] else _OF_CHUNKING) if options[name]]
    if wrong:
        words = _("%(option)s does not go with --rechunk.") if options["rechunk"] else _("%(option)s needs --rechunk.")
        raise CommandError(words % {"option": f"--{wrong[0].replace('_', '-')}"})


def _up_to_date() -> EmbeddingSpace | None:
    """The active space, if its vectors are those of the settings' model; what it may lack can be filled."""
    embedder = rag_settings().embedder
    return EmbeddingSpace.objects.filter(
        status=EmbeddingSpace.Status.ACTIVE, embedder=embedder, model=configured_model(embedder)
    ).first()


def _space_of(job: Job) -> EmbeddingSpace:
    return EmbeddingSpace.objects.get(jobs=job)
