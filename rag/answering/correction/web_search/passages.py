"""Pages of the web as passages, scored against the question: BM25 over the pieces of these few pages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ingestion.text.analyser import analyser
from ingestion.text.sentences import sentence_spans
from rag.answering.correction.web_search.pages import WebPage
from rag.search.retrieval.bm25 import inverse_document_frequency
from rag.types import Explanation, Passage

WORDS = 200

_WORD = re.compile(r"\S+")


def pieces(text: str, *, words: int = WORDS) -> list[tuple[int, int]]:
    """Character ranges [start, end) of whole sentences, about `words` long, in order, that cover all but white space.

    A sentence that is longer than that alone is cut between words.
    """
    cut: list[tuple[int, int]] = []
    start = end = count = 0
    for sentence_start, sentence_end, length in _sentences(text, words):
        if count and count + length > words:
            cut.append((start, end))
            count = 0
        start = sentence_start if count == 0 else start
        end, count = sentence_end, count + length
    return [*cut, (start, end)] if count else cut


def _sentences(text: str, most: int) -> Iterator[tuple[int, int, int]]:
    """(start, end, words), none of more than `most` words."""
    for start, end in sentence_spans(text):
        found = [match.span() for match in _WORD.finditer(text, start, end)]
        for first in range(0, len(found), most):
            part = found[first : first + most]
            yield part[0][0], part[-1][1], len(part)


_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    page: WebPage
    start: int
    end: int
    lemmas: tuple[str, ...]


def passages_from_web(question: str, pages: Sequence[WebPage], *, limit: int) -> list[Passage]:
    """At most `limit` passages of about 200 words that have a word of the question, best BM25 score first.

    `relevance` is the share of the question's lemmas that the passage and its title have, by weight, in [0, 1]: whoever
    compares it with that of documents should know that it is this and no calibrated chance.
    """
    asked = _asked(question)
    cut = [_piece(page, start, end) for page in pages for start, end in pieces(page.text)]
    if not cut or not asked:
        return []
    weights = _weights(asked, cut)
    total = sum(weights.values())
    found = []
    for piece, score in zip(cut, _bm25(asked, cut), strict=True):
        covered = sum(weights[lemma] for lemma in asked.intersection(piece.lemmas)) / total
        if covered:
            found.append(_passage(piece, score=score, coverage=covered))
    return sorted(found, key=lambda passage: -passage.score)[:limit]


def _asked(question: str) -> frozenset[str]:
    """The lemmas that carry the topic; all of them where none seems to."""
    topic = frozenset(token.lemma for token in analyser().content_tokens(question))
    return topic or frozenset(lemma for _, lemma in analyser().words(question))


def _piece(page: WebPage, start: int, end: int) -> _Piece:
    words = analyser().words(f"{page.title}\n{page.text[start:end]}")
    return _Piece(page=page, start=start, end=end, lemmas=tuple(lemma for _, lemma in words))


def _weights(asked: frozenset[str], cut: Sequence[_Piece]) -> dict[str, float]:
    """Of each lemma of the question: 1 for one that no piece has, at least a half for one that all have.

    All pages were found for the question, so that its topic is in all of them and has next to no idf there; counting
    by idf alone would judge them by the one odd word that they lack.
    """
    idf = {lemma: inverse_document_frequency(sum(lemma in piece.lemmas for piece in cut), len(cut)) for lemma in asked}
    rarest = inverse_document_frequency(0, len(cut))
    return {lemma: 0.5 + 0.5 * value / rarest for lemma, value in idf.items()}


def _bm25(asked: frozenset[str], cut: Sequence[_Piece]) -> list[float]:
    """BM25Plus without its delta is BM25 with an idf that is never negative, which Okapi's is on so few texts."""
    from rank_bm25 import BM25Plus

    if not any(chain.from_iterable(piece.lemmas for piece in cut)):
        return [0.0] * len(cut)
    index = BM25Plus([list(piece.lemmas) for piece in cut], k1=_K1, b=_B, delta=0)
    return [float(score) for score in index.get_scores(sorted(asked))]


def _passage(piece: _Piece, *, score: float, coverage: float) -> Passage:
    page = piece.page
    first_line = page.text.count("\n", 0, piece.start) + 1
    return Passage(
        chunk_id=0,
        document_id=0,
        collection="",
        title=page.title,
        uri=page.uri,
        media_type="text/html",
        text=page.text[piece.start : piece.end],
        start=piece.start,
        end=piece.end,
        line_start=first_line,
        line_end=first_line + page.text.count("\n", piece.start, piece.end),
        dated=page.published,
        origin="web",
        score=score,
        relevance=round(coverage, 4),
        explanation=Explanation(lexical_score=score, coverage=coverage, fusion_score=score),
    )
