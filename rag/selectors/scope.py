"""Which collections a question of a viewer is searched in, and which of their documents."""

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.library.privacy import as_seen_by
from ingestion.models import Collection
from ingestion.models.viewers import Viewer
from ingestion.selectors import archives_of, collections_for_all_questions, in_trial, visible_collections
from ingestion.selectors.clearance import Clearance, clearance_of
from ingestion.text.personal_data.masking import masked_values
from rag.errors import InvalidFilter
from rag.models import Assistant
from rag.search.retrieval.filter_rules import check_filters, check_sources
from rag.types import Filters


def searched_collections(viewer: Viewer, filters: Filters, assistant: Assistant | None = None) -> list[Collection]:
    """The collections that `viewer` may see, of the assistant's, narrowed by the filter; without either, all but those
    that are searched only where they are chosen.

    Each says whether its personal data are covered for this viewer. One that is hidden is as unknown as one that does
    not exist. Raises InvalidFilter.
    """
    check_filters(filters)
    if assistant and assistant.collections.exists():
        visible = visible_collections(viewer).filter(pk__in=assistant.collections.all())
    elif filters.collections:
        visible = visible_collections(viewer)
    else:
        visible = collections_for_all_questions(viewer)
    chosen = as_seen_by(viewer, visible.filter(slug__in=filters.collections) if filters.collections else visible)
    if unknown := set(filters.collections) - {collection.slug for collection in chosen}:
        raise InvalidFilter(_("There is no collection %(names)s.") % {"names": ", ".join(sorted(unknown))})
    check_sources(filters, chosen)
    return in_trial(viewer, _where_shown(filters, chosen))


def with_archives(collections: Sequence[Collection], filters: Filters) -> list[Collection]:
    """These and their archives, where what documents said earlier is asked for: by a time, or because it holds still
    while the document is in force from another day on only.
    """
    if filters.include_expired:
        return list(collections)
    today = None if filters.names_a_time else timezone.localdate()
    return [*collections, *archives_of(collections, in_force_on=today)]


def clearance_in(collections: Sequence[Collection], viewer: Viewer) -> Clearance:
    """What `viewer` may read of the documents in `collections` that have readers of their own."""
    return clearance_of(viewer, within=[collection.pk for collection in collections])


def _where_shown(filters: Filters, collections: list[Collection]) -> list[Collection]:
    """Those where the viewer may see what is filtered by: a filter finds no more than reading does."""
    asked = [*filters.categories, *filters.tags, *filters.versions, dict(filters.metadata)]
    if masked_values(asked) == asked:
        return collections
    return [collection for collection in collections if not collection.mask_personal_data]
