"""What comes nearest to a question that the sources do not answer, and under which words it was looked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.models.viewers import Viewer
from knowledgetree.errors import KnowledgeTreeError
from rag.search.near_sections import MOST, near_sections
from rag.selectors import ShownExchange
from rag.services.search import search_passages, words_searched
from rag.types import NearSection, Passage, SearchedWord

SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestFound:
    """At most four `passages` that are not cited and five `sections`, the nearest first."""

    passages: Sequence[Passage] = ()
    words: tuple[SearchedWord, ...] = ()
    sections: tuple[NearSection, ...] = ()


NOTHING_NEAR = NearestFound()


def nearest_found(shown: ShownExchange, viewer: Viewer) -> NearestFound:
    """Searched anew, because an exchange keeps only what it cites; so all of it is what `viewer` may read today."""
    exchange = shown.exchange
    if shown.hidden or exchange.outcome not in ("not_found", "not_certain"):
        return NOTHING_NEAR
    asked = exchange.searched or exchange.question
    try:
        found = search_passages(query=asked, viewer=viewer, top_k=2 * MOST, logged=False).passages
        words = words_searched(query=asked, viewer=viewer)
    except KnowledgeTreeError:
        return NOTHING_NEAR
    cited = {citation.chunk_id for citation in shown.citations}
    return NearestFound(
        passages=[passage for passage in found if passage.chunk_id not in cited][:SHOWN],
        words=words,
        sections=near_sections(found, apart_from=shown.citations),
    )
