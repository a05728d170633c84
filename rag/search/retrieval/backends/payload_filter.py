"""A search's filters and rights in Qdrant's words, as far as its payload has what they ask for.

It only saves proposals: PostgreSQL checks each hit by the whole condition. What is not here (sources by their names,
metadata, words that are left out) is asked of PostgreSQL alone.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from itertools import chain
from typing import TYPE_CHECKING

from django.utils import timezone

from ingestion.selectors.clearance import Clearance
from rag.search.retrieval.filters import Condition
from rag.types import Filters

if TYPE_CHECKING:
    from qdrant_client.models import FieldCondition, Filter


def payload_filter(collection_ids: Sequence[int], condition: Condition) -> "Filter":
    from qdrant_client.models import FieldCondition, Filter, MatchAny

    tenants = FieldCondition(key="collection", match=MatchAny(any=[str(key) for key in collection_ids]))
    filters = condition.filters
    asked = (_readable(condition.clearance), _in_force(filters), _of_documents(filters), _modified(filters))
    return Filter(must=[tenants, *chain.from_iterable(asked)])


def _readable(clearance: Clearance) -> "Iterator[FieldCondition]":
    """Readership 0 is that of documents which everybody may read who may read the collection."""
    from qdrant_client.models import FieldCondition, MatchAny

    if clearance.narrows:
        yield FieldCondition(key="readership", match=MatchAny(any=[0, *clearance.readerships]))


def _of_documents(filters: Filters) -> "Iterator[FieldCondition]":
    from qdrant_client.models import FieldCondition, MatchAny, MatchValue

    any_of = {
        "media_type": filters.media_types,
        "language": filters.languages,
        "category": filters.categories,
        "version": filters.versions,
    }
    for field, values in any_of.items():
        if values:
            yield FieldCondition(key=field, match=MatchAny(any=list(values)))
    for tag in filters.tags:  # of tags a document has all that are asked for
        yield FieldCondition(key="tags", match=MatchValue(value=tag))


def _in_force(filters: Filters) -> "Iterator[FieldCondition | Filter]":
    """What documents say of themselves is not in the payload: one with an open end may have ended."""
    from qdrant_client.models import FieldCondition, Filter, Range

    today = timezone.localdate()
    if filters.with_former:
        yield FieldCondition(key="valid_from", range=Range(lte=today.toordinal()))
    elif filters.former:
        ends = (Range(lt=today.toordinal()), Range(gte=date.max.toordinal()))
        yield Filter(should=[FieldCondition(key="valid_to", range=end) for end in ends])
    elif not filters.include_expired:
        first = filters.valid_on or today
        last = filters.valid_through or first
        yield FieldCondition(key="valid_from", range=Range(lte=last.toordinal()))
        yield FieldCondition(key="valid_to", range=Range(gte=first.toordinal()))


def _modified(filters: Filters) -> "Iterator[FieldCondition]":
    """Days are those of the installation's time zone."""
    from qdrant_client.models import FieldCondition, Range

    if filters.modified_from:
        begins = timezone.make_aware(datetime.combine(filters.modified_from, time.min)).timestamp()
        yield FieldCondition(key="modified", range=Range(gte=begins))
    if filters.modified_to:
        ends = timezone.make_aware(datetime.combine(filters.modified_to, time.max)).timestamp()
        yield FieldCondition(key="modified", range=Range(lte=ends))
