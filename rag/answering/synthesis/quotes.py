"""Which words of a passage a citation shows: the one to three sentences nearest to the claim."""

from collections.abc import Sequence

from ingestion.text.analyser import analyser
from ingestion.text.sentences import sentence_spans
from rag.answering.claims import HEADING
from rag.types import Citation, Passage, Place

MAX_SENTENCES = 3
WORTH_A_SENTENCE = 0.15
"""The share of the claim's words that one more sentence must add. Below it quotes grow by accident."""


def citation_from(passage: Passage, *, number: int, quote_span: tuple[int, int]) -> Citation:
    """A citation of `passage.text[start:end]`; `quote_span` counts from the start of the passage,
    `start`/`end` of the result from the start of the document. Raises ValueError for an empty span or one
    outside the passage.
    """
    start, end = quote_span
    if not 0 <= start < end <= len(passage.text):
        raise ValueError(f"quote [{start}, {end}) lies outside the passage of {len(passage.text)} characters")
    line_start = passage.line_start + passage.text.count("\n", 0, start)
    first, last = _places(passage, passage.start + start)[-1], _places(passage, passage.start + end - 1)[0]
    return Citation(
        number=number,
        chunk_id=first.chunk_id,
        document_id=passage.document_id,
        title=passage.title,
        uri=passage.uri,
        quote=passage.text[start:end],
        start=passage.start + start,
        end=passage.start + end,
        line_start=line_start,
        line_end=line_start + passage.text.count("\n", start, end - 1),
        page_start=first.page_start,
        page_end=last.page_end,
        heading_path=first.heading_path,
        score=passage.relevance,
        origin=passage.origin,
    )


def _places(passage: Passage, position: int) -> Sequence[Place | Passage]:
    """The chunks that have the character `position` of the document; the passage itself unless it was extended."""
    return [place for place in passage.places if place.start <= position < place.end] or [passage]


def best_quote(claim: str, passage: Passage, *, searched: str = "") -> tuple[int, int]:
    """The span of `passage.text` whose sentences share most content lemmas with `claim`.

    One to three adjacent sentences: a longer span wins only where each further sentence brings words of the
    claim that the shorter one lacks. Nothing shared: the first sentence. A heading alone proves nothing. For a claim in
    another language the words of `searched` count too, and none that the passage lacks.
    """
    sentences = sentence_spans(passage.text) or [(0, len(passage.text))]
    spans = [span for span in sentences if not HEADING.match(passage.text, *span)] or sentences
    wanted = content_lemmas(claim)
    if searched:
        wanted = (wanted | content_lemmas(searched)) & content_lemmas(passage.text)
    shared = [wanted & content_lemmas(passage.text[start:end]) for start, end in spans]
    first, last = _best_window(shared, total=len(wanted))
    return spans[first][0], spans[last][1]


def content_lemmas(text: str) -> frozenset[str]:
    """Lemmas of the words that carry a topic."""
    return frozenset(token.lemma for token in analyser().content_tokens(text))


def _best_window(shared: Sequence[frozenset[str]], *, total: int) -> tuple[int, int]:
    """First and last sentence, both inclusive; ties go to the shorter window, then to the earlier one."""
    windows = [
        (first, first + size - 1) for size in range(1, MAX_SENTENCES + 1) for first in range(len(shared) - size + 1)
    ]

    def gain(window: tuple[int, int]) -> float:
        first, last = window
        covered = frozenset[str]().union(*shared[first : last + 1])
        return len(covered) / max(total, 1) - WORTH_A_SENTENCE * (last - first)

    return max(windows, key=gain)
