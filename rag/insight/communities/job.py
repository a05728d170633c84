"""Groups made by a worker: when an editor asks for them, and at night where a collection that has them changed."""

from uuid import UUID

from django.db import transaction
from django.utils.module_loading import import_string

from ingestion.models import Collection
from ingestion.types import Progress
from rag.insight.communities.building import build_communities, is_outdated

_START = "ingestion.services.grouping.start_grouping"  # questions know nothing of the queue, so by name alone


class CommunitiesJob:
    """What the worker does for a job of the kind `communities` (`ingestion.protocols.OutsideJob`)."""

    def run(self, job: UUID, progress: Progress) -> bool:
        """Begun anew, it makes the same groups. False where the collection is gone."""
        collection = Collection.objects.filter(jobs=job).first()
        if collection is None:
            return False
        build_communities(collection=collection, progress=progress)
        return True


@transaction.atomic
def refresh_communities() -> int:
    """Have the groups of every collection that has some, and has changed since, made anew; how many collections."""
    changed = [one for one in Collection.objects.order_by("pk") if is_outdated(one)]
    for collection in changed:
        import_string(_START)(collection=collection)
    return len(changed)
