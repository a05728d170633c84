"""The version of the knowledge base: equal versions of the same collections mean the same answers.

Every committed change adds a row with a random positive weight, and the version is their sum. It therefore grows with
each commit, in whatever order transactions with higher and lower numbers end; it stays what it is when rows are folded
into their sum; and what a transaction saw of its own before it was taken back is no later version. Rows are only added,
so writers never wait for each other here.
"""

from collections.abc import Iterable, Mapping

from django.db import connection

from knowledgetree.postgres.prepared_statements import fetch

EVERY_COLLECTION = 0
_VERSION = "SELECT coalesce(sum(weight), 0) FROM ingestion_knowledgechange WHERE collection_id = ANY(%s)"
_VERSIONS = "SELECT collection_id, sum(weight) FROM ingestion_knowledgechange WHERE collection_id = ANY(%s) GROUP BY 1"


def knowledge_version(collection_ids: Iterable[int]) -> str:
    """It changes with whatever answers from these collections rest on, except the date and the settings. One query."""
    return str(fetch(_VERSION, [[EVERY_COLLECTION, *collection_ids]])[0][0])


def knowledge_versions(collection_ids: Iterable[int]) -> tuple[str, Mapping[int, str]]:
    """The version of these collections together, and of each alone. One query."""
    keys = list(collection_ids)
    weights: dict[int, int] = dict(fetch(_VERSIONS, [[EVERY_COLLECTION, *keys]]))
    common = weights.get(EVERY_COLLECTION, 0)
    return str(sum(weights.values())), {key: str(common + weights.get(key, 0)) for key in keys}


def fold_changes() -> None:
    """Put the changes of each collection into one row; versions stay as they are. Waits for nobody."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ingestion_fold_changes()")
