"""From the passages that a search found to those that a language model or a rule reads."""

from collections.abc import Generator
from dataclasses import replace

from knowledgetree.conf import RAGSettings
from rag.answering.context.reading import read_around
from rag.events import Event, Retrieved
from rag.question import Evidence, Question
from rag.search.results_cache import expanded_query
from rag.types import Passage

BY_RULES = 9_000
"""Characters that rules read for an answer: the sections of the best passages, of small documents all."""


class SectionReader:
    """Reads whole sections around what was found, of at most `characters` together, 0: as many as rules read."""

    def __init__(self, settings: RAGSettings, *, characters: int) -> None:
        self._settings = settings
        self._characters = characters or BY_RULES

    def read(self, question: Question, evidence: Evidence) -> Generator[Event, None, Evidence]:
        """The evidence with what is `read` of it. Passages now stand for every chunk that is read because of them, so
        that a citation of any says why it is there; Retrieved tells of it where there are such.
        """
        found = evidence.result.passages
        read = read_around(
            found,
            collections=question.collections,
            characters=self._characters,
            grown=not self._excludes(question),  # a neighbour may have the very word that is excluded
        )
        passages = tuple(_standing_for(passage, read) for passage in found)
        if passages != found:
            yield Retrieved(passages=passages, corrections=evidence.result.corrections)
        return replace(evidence, read=tuple(read), result=replace(evidence.result, passages=passages))

    def _excludes(self, question: Question) -> bool:
        seconds = self._settings.caches.result_seconds
        query = expanded_query(question.text, question.collections, seconds=seconds, clearance=question.clearance)
        return bool(query.excluded)


def _standing_for(passage: Passage, read: list[Passage]) -> Passage:
    """`passage` with the places of what was read for it, unless it was extended by the search."""
    own = next((one.places for one in read if one.chunk_id == passage.chunk_id and one.chunk_id), ())
    return replace(passage, places=own) if own and not passage.places else passage
