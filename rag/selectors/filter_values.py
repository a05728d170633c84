"""The values that a reader may narrow a search to: those that tell apart documents which this reader may open."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.cache import cache
from django.db import connection

from ingestion.library.privacy import masked_collections
from ingestion.models.viewers import Viewer
from ingestion.selectors import readable_documents, visible_collections
from ingestion.selectors.clearance import Clearance, clearance_of
from ingestion.selectors.knowledge_version import knowledge_version
from ingestion.text.personal_data.masking import masked

MOST_VALUES = 40
"""Of one filter, the commonest; nobody reads longer lists."""
MOST_METADATA = 20
"""A field with more values than this is a number or a name of the document, not a choice."""
LONGEST = 80
"""Characters of a value of metadata."""
_SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterValue:
    """`filter` is a field of `rag.types.Filters`; `key` that of the metadata. `documents` counts what is readable."""

    filter: str
    key: str
    value: str
    label: str
    documents: int


# Materialised: it is read once for each filter. A document counts once for a value, however often it has it.
_VALUES = """
WITH readable AS MATERIALIZED (
    SELECT d.*, d.collection_id = ANY(%s) AS covered FROM ({documents}) d
), held AS (
    SELECT 'collections' AS filter, '' AS key, c.slug AS value, c.name::text AS label, false AS covered
    FROM readable JOIN ingestion_collection c ON c.id = collection_id
    UNION ALL SELECT 'categories', '', category, category, covered FROM readable WHERE category <> ''
    UNION ALL SELECT 'languages', '', language, language, covered FROM readable WHERE language <> ''
    UNION ALL SELECT 'versions', '', version, version, covered FROM readable WHERE version <> ''
    UNION ALL SELECT 'sources', '', s.id::text, s.name, covered
    FROM readable JOIN ingestion_source s ON s.id = source_id
    UNION ALL SELECT 'tags', '', tag, tag, covered
    FROM readable CROSS JOIN LATERAL (SELECT DISTINCT unnest(tags) AS tag) AS own
    UNION ALL SELECT 'metadata', field.key, jsonb_build_object(field.key, field.value)::text,
        field.value #>> '{{}}', covered
    FROM readable CROSS JOIN LATERAL
        jsonb_each(CASE jsonb_typeof(metadata) WHEN 'object' THEN metadata ELSE '{{}}' END) AS field
    WHERE jsonb_typeof(field.value) IN ('string', 'number', 'boolean')
        AND length(field.value #>> '{{}}') BETWEEN 1 AND %s
    UNION ALL SELECT 'valid_on', '', '', '', false FROM readable WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL
), counted AS (
    SELECT filter, key, value, min(label) AS label, bool_and(covered) AS covered, count(*) AS documents
    FROM held GROUP BY filter, key, value
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY filter, key ORDER BY documents DESC, value) AS rank,
        count(*) OVER (PARTITION BY filter, key) AS alternatives,
        max(documents) OVER (PARTITION BY filter, key) AS commonest
    FROM counted
)
SELECT filter, key, value, label, documents, covered FROM ranked
WHERE filter = 'valid_on' OR (
    documents < (SELECT count(*) FROM readable) AND rank <= %s
    AND (filter <> 'metadata' OR alternatives <= %s AND commonest > 1)
)
"""
_COLUMNS = (
    "collection_id", "category", "language", "version", "source_id", "tags", "metadata", "valid_from", "valid_to",
)  # fmt: skip


def filter_values(viewer: Viewer) -> tuple[FilterValue, ...]:
    """At most `MOST_VALUES` of a filter, in no order. A row `valid_on` says that documents have dates at all.

    Kept until the knowledge base changes, for those alone who may read the same collections and the same of them.
    """
    visible = sorted(visible_collections(viewer).values_list("pk", flat=True))
    covered = sorted(masked_collections(viewer).filter(pk__in=visible).values_list("pk", flat=True))
    key = _key(visible, covered, clearance_of(viewer, within=visible))
    known: tuple[FilterValue, ...] | None = cache.get(key)
    if known is None:
        known = tuple(_read(viewer, covered))
        cache.set(key, known, _SECONDS)
    return known


def _key(visible: list[int], covered: list[int], clearance: Clearance) -> str:
    rights = f"{visible} {covered} {clearance} {knowledge_version(visible)}"
    return f"filter-values:{hashlib.sha256(rights.encode()).hexdigest()}"


def _read(viewer: Viewer, covered: list[int]) -> Iterable[FilterValue]:
    """What only documents with covered personal data have is left out where it is such data itself."""
    documents = readable_documents(viewer).select_related(None).order_by().values(*_COLUMNS)
    sql, parameters = documents.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(_VALUES.format(documents=sql), [covered, *parameters, LONGEST, MOST_VALUES, MOST_METADATA])
        for name, key, value, label, count, hidden in cursor.fetchall():
            if hidden and masked(f"{key} {label}") != f"{key} {label}":
                continue
            yield FilterValue(filter=name, key=key, value=value, label=label, documents=count)
