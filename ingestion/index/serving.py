"""Which embedding space searches run in, and the embedder that belongs to it.

A process that has not loaded the embedder of a newly activated space yet goes on searching in the previous one, while a
thread loads it: no question waits for a model.
"""

import logging
import threading
from copy import copy
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.embedding.protocol import Embedder
from ingestion.errors import WrongEmbedder
from ingestion.models import EmbeddingSpace
from knowledgetree.components import component, is_built
from knowledgetree.postgres.prepared_statements import Row, fetch

log = logging.getLogger("knowledgetree.search")

HANDOVER = timedelta(minutes=1)
"""For so long after a switch the previous space may still be searched; it is not dropped before."""

# Which version of each row this transaction sees. A row that was changed, or changed back, has another.
_VERSIONS = "SELECT id, xmin::text, ctid::text FROM ingestion_embeddingspace ORDER BY retired DESC"
_Status = EmbeddingSpace.Status
_read: tuple[list[Row], list[EmbeddingSpace]] = [], []  # the spaces as they were read last, with their versions
_loading: set[int] = set()  # keys of the spaces whose embedder a thread of this process loads or failed to load


def active_space() -> EmbeddingSpace | None:
    """The space that a search of this process runs in; None before the first document. One query."""
    known = [space for space in _spaces() if _may_be_searched(space)]
    for space in known:
        if space.status != _Status.RETIRED:
            _load_beside(space)
    active = next((space for space in known if space.status == _Status.ACTIVE), None)
    if active is None or _is_loaded(active):
        return active
    before = (space for space in known if space.status == _Status.RETIRED and _is_loaded(space))
    return next(before, active)


def _spaces() -> list[EmbeddingSpace]:
    """All of them, the last retired first. Read anew where one has changed: to make the objects takes a millisecond."""
    global _read
    versions, spaces = _read
    if (now := fetch(_VERSIONS)) != versions:
        spaces = list(EmbeddingSpace.objects.order_by("-retired"))
        _read = now, spaces
    return [copy(space) for space in spaces]  # whoever gets one may change it


def _may_be_searched(space: EmbeddingSpace) -> bool:
    """Now or soon; told here, because of a handful of rows it is quicker than asking for fewer."""
    upcoming = space.status == _Status.BUILDING and space.activate_when_full
    previous = space.status == _Status.RETIRED and space.retired and space.retired > timezone.now() - HANDOVER
    return space.status == _Status.ACTIVE or upcoming or bool(previous)


def embedder_of(space: EmbeddingSpace) -> Embedder:
    """The embedder whose vectors the space holds. Raises WrongEmbedder where another model answers under its name."""
    embedder: Embedder = component("embedders", space.embedder, space.options)
    if embedder.name != space.model:
        raise WrongEmbedder(
            _("The vectors are those of %(model)s, but the embedder %(embedder)s now has %(configured)s.")
            % {"model": space.model, "embedder": space.embedder, "configured": embedder.name},
            remedy=_("Give it %(model)s back, or have every vector computed anew: knowledgetree reembed --activate.")
            % {"model": space.model},
        )
    return embedder


def _is_loaded(space: EmbeddingSpace) -> bool:
    return space.pk not in _loading and is_built("embedders", space.embedder, space.options)


def _load_beside(space: EmbeddingSpace) -> None:
    """Once a process and space; the first space of a process has nobody to wait for it and loads in the search."""
    if space.pk in _loading or _is_loaded(space):
        return
    _loading.add(space.pk)
    threading.Thread(target=_load, args=[space], name=f"load-embedder-{space.pk}", daemon=True).start()


def _load(space: EmbeddingSpace) -> None:
    try:
        embedder_of(space).embed_query(" ")  # the first call of a model is the slow one
        _loading.discard(space.pk)
    except Exception:
        log.exception("the embedder could not be loaded", extra={"fields": {"space": space.name}})
