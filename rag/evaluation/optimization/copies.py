"""The copies of collections that a search for a chunking has made: which are whose, and which nobody wants any more."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from ingestion.models import Collection, Job
from ingestion.selectors import collections_for_all_questions
from ingestion.types import ChunkingTrials
from knowledgetree.components import component
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.postgres.locks import Lock, held_over_transactions
from rag.models import Optimization

_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


class DifferentChunkings(KnowledgeTreeError):
    code = "different_chunkings"
    status = 400


def chunking_trials() -> ChunkingTrials:
    trials: ChunkingTrials = component("chunking_trials", "copies")
    return trials


def collections_asked(optimization: Optimization) -> list[int]:
    """The keys of the collections that the questions of the search are about."""
    dataset = optimization.dataset
    if dataset.collection_id:
        return [dataset.collection_id]
    return sorted(collections_for_all_questions(AnonymousUser()).values_list("pk", flat=True))


def chunking_in_force(optimization: Optimization) -> Mapping[str, Any]:
    """The one of all the collections that are asked. Raises DifferentChunkings."""
    trials = chunking_trials()
    found = [trials.in_force(collection) for collection in collections_asked(optimization)]
    if any(other != found[0] for other in found):
        raise DifferentChunkings(
            _("The collections that the questions are about are split in different ways."),
            remedy=_("Choose a set of questions about one collection."),
        )
    return found[0]


def chunking_with(chunking: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """`chunking` with these values instead; options are those of a chunker and go with it."""
    found = {**chunking, **values}
    return found if found["chunker"] == chunking["chunker"] else {**found, "options": {}}


def copies_for(
    optimization: Optimization, chunking: Mapping[str, Any], goes_on: Callable[[], bool]
) -> list[Collection] | None:
    """A copy of each collection that is asked, split so; None where it did not go on long enough."""
    trials, keys = chunking_trials(), []
    for collection in collections_asked(optimization):
        key = trials.fill(collection, chunking, optimization.sample, search=optimization.pk, goes_on=goes_on)
        if key is None:
            return None
        keys.append(key)
    return list(Collection.with_archives.filter(pk__in=keys).order_by("pk"))


def remove_copies(optimization: int, *, but: Sequence[Mapping[str, Any]] = (), vectors: bool = False) -> int:
    """Delete the copies of the search, `but` those with these chunkings; how many."""
    own = Collection.with_archives.filter(tried_by=optimization, trial_of__isnull=False)
    gone = [copy.pk for copy in own if copy.chunking not in but]
    if gone:
        chunking_trials().remove(gone, vectors=vectors)
    return len(gone)


def remove_abandoned_copies(*, but: int = 0) -> int:
    """Delete the copies of searches that are over, deleted or broken off for good; how many. Those of a search under
    way, of one that a worker will go on with, and of the search `but` stay.
    """
    tried = Collection.with_archives.filter(trial_of__isnull=False).exclude(tried_by=but)
    removed = 0
    for search in set(filter(None, tried.values_list("tried_by", flat=True))):
        with held_over_transactions(Lock.OPTIMIZATION, search) as held:
            if held and not _is_wanted(search):
                removed += remove_copies(search)
    return removed


def _is_wanted(search: int) -> bool:
    return Optimization.objects.filter(pk=search, result={}, job__status__in=_UNFINISHED).exists()
