"""Groups made by a worker: when an editor asks for them, and at night where a collection that has them changed."""

from uuid import UUID

from django.db import transaction

from ingestion.models import Collection
from ingestion.types import BackgroundWork, Progress
from knowledgetree.components import component
from rag.insight.communities.building import build_communities, is_outdated


class CommunitiesJob:
    """What the worker does for a job of the kind `communities` (`ingestion.types.OutsideJob`)."""

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
    background: BackgroundWork = component("background", "queue")
    for collection in changed:
        background.group_documents(collection.pk)
    return len(changed)
