"""Which sentence of a passage its vector was found by."""

from ingestion.text.sentences import sentence_spans
from rag.types import Passage


def found_sentence(passage: Passage) -> tuple[int, int] | None:
    """Characters [start, end) of `passage.text`; None where the whole chunk was found, or its words.

    `explanation.sentence` counts in the chunk, also where neighbours stand before it now.
    """
    own = next((place for place in passage.places if place.chunk_id == passage.chunk_id), None)
    first, last = (own.start - passage.start, own.end - passage.start) if own else (0, len(passage.text))
    spans = sentence_spans(passage.text[first:last])
    number = passage.explanation.sentence
    if not 0 < number <= len(spans):
        return None
    start, end = spans[number - 1]
    return first + start, first + end
