from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.models import Collection
from knowledgetree import console
from rag.insight.communities.building import Built, build_communities


class Command(console.Command):
    help = gettext_noop(
        "Group the documents of collections by topic and summarise each group. Interrupted, it can be run again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", help=_("the collection's identifier; all of them without it"))

    def handle(self, *, collection: str | None, **options: Any) -> None:
        chosen = Collection.objects.filter(slug=collection) if collection else Collection.objects.all()
        if collection and not chosen:
            raise CommandError(_("There is no collection %(name)s.") % {"name": collection})
        for one in chosen:
            self._write(one, build_communities(collection=one))
        if not chosen:
            self.say(_("There is no collection yet."))

    def _write(self, collection: Collection, built: Built) -> None:
        counts = {"name": collection.name, "groups": built.communities, "documents": built.documents}
        said = _("%(name)s: groups %(groups)d, documents in groups %(documents)d") % counts
        if built.written:
            said += _(", written by a model: %(n)d") % {"n": built.written}
        self.say(said)
