"""Which generation of the search engine is searched, and which chunks it does not know as they are now."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.text.index_format.points import LengthNorm
from knowledgetree.postgres.prepared_statements import fetch

_MOST_CHANGED = 2_000  # looked at beside what the engine proposes; with more, what came last is found once it is told

# The latest first: a reader looks for what was just brought.
_ACTIVE = """
SELECT g.id, g.k1, g.b, g.mean_length, g.spaces, array(
    SELECT c.chunk_id FROM ingestion_enginechange c WHERE c.generation_id = g.id ORDER BY c.id DESC LIMIT %s
)
FROM ingestion_enginegeneration g WHERE g.status = 'active'
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedGeneration:
    """The generation that serves. `changed` are chunks it has yet to be told of: candidates of every search."""

    number: int
    norm: LengthNorm
    spaces: Sequence[int]
    changed: frozenset[int]


def searched_generation() -> SearchedGeneration | None:
    """As PostgreSQL has it now; None: none was switched to yet."""
    for number, k1, b, mean_length, spaces, changed in fetch(_ACTIVE, [_MOST_CHANGED]):
        norm = LengthNorm(k1=k1, b=b, mean_length=mean_length)
        return SearchedGeneration(number=number, norm=norm, spaces=spaces, changed=frozenset(changed))
    return None
