"""An answer without a language model: the sentences of the passages that answer best, each cited."""

import math
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from rank_bm25 import BM25Plus

from ingestion.protocols import Analyser
from ingestion.text.kinship import alike
from ingestion.text.sentences import sentence_spans
from rag.protocols import Synthesis
from rag.synthesis.quotes import citation_from, content_lemmas
from rag.types import Citation, Passage

_HEADING = re.compile(r"#{1,6}\s|[=\-~*_]{3,}\s*$|\|[\s:|-]+\|?\s*$|```")
_FENCED = re.compile(r"^```.*?(?:^```|\Z)", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"^(?:[-*•–—]\s+|>\s*|\(?\d{1,3}[.)]\s+|[a-z]\)\s+|§\s*\d+[a-z]?\.?\s+)+")
_EMPHASIS = re.compile(r"(\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ASKS_FOR_NUMBER = re.compile(
    r"\b(il[eu]|jak dług\w*|jak często|kiedy|do kiedy|od kiedy|termin\w*|kwot\w*|stawk\w*|opłat\w*|koszt\w*|limit\w*"
    r"|godzin\w*|numer\w*|how (?:many|much|long|often)|when|deadline)\b",
    re.IGNORECASE,
)
_LEAST_WORDS = 4  # fewer are a label, unless there is a number
_NUMBER_BONUS = 0.15
_HEADING_SHARE = 0.5  # a word that only the headings have says less about the sentence than one in it
_RANK_SHARE = 0.35  # how much the retrieval's order counts beside the words of the sentence
_WORTH_SHOWING = 0.68  # of the best sentence's score


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A sentence of `passages[index]`, characters [start, end) of its text."""

    index: int
    start: int
    end: int
    text: str
    lemmas: frozenset[str]
    score: float = 0.0


class ExtractiveSynthesizer:
    """Implements `rag.protocols.Synthesizer`: at most `max_sentences`, the best one first, no two alike."""

    def __init__(self, *, analyser: Analyser, max_sentences: int = 4) -> None:
        self._analyser = analyser
        self._max_sentences = max_sentences

    def synthesize(self, question: str, passages: Sequence[Passage], *, language: str) -> "ExtractiveDraft":
        wanted = content_lemmas(question, self._analyser)
        candidates = self._scored(question, wanted, passages)
        return ExtractiveDraft(passages=passages, chosen=_choose(candidates, self._max_sentences))

    def _scored(self, question: str, wanted: frozenset[str], passages: Sequence[Passage]) -> list[Candidate]:
        candidates = [
            candidate for index, passage in enumerate(passages) for candidate in self._sentences(index, passage)
        ]
        if not candidates:
            return []
        by_words = _word_scores(candidates, wanted, passages, self._analyser)
        best = max(passage.score for passage in passages)
        asks_for_number = bool(_ASKS_FOR_NUMBER.search(question))
        return sorted(
            (
                replace(
                    candidate,
                    score=(1 - _RANK_SHARE) * words
                    + _RANK_SHARE * math.exp(passages[candidate.index].score - best)
                    + (_NUMBER_BONUS if asks_for_number and re.search(r"\d", candidate.text) else 0.0),
                )
                for candidate, words in zip(candidates, by_words, strict=True)
            ),
            key=lambda candidate: (-candidate.score, candidate.index, candidate.start),
        )

    def _sentences(self, index: int, passage: Passage) -> list[Candidate]:
        code = [match.span() for match in _FENCED.finditer(passage.text)]
        spans = [
            (start, end)
            for start, end in sentence_spans(passage.text)
            if _is_sentence(passage.text[start:end]) and not any(a <= start < b for a, b in code)
        ]
        return [
            Candidate(
                index=index,
                start=start,
                end=end,
                text=passage.text[start:end],
                lemmas=content_lemmas(passage.text[start:end], self._analyser),
            )
            for start, end in spans
        ]


class ExtractiveDraft:
    """Implements `rag.protocols.Draft`; complete before it is read."""

    def __init__(self, *, passages: Sequence[Passage], chosen: Sequence[Candidate]) -> None:
        self._passages = passages
        self._chosen = chosen
        self._text = ""
        self._citations: list[Citation] = []

    def __iter__(self) -> Generator[str | Citation, None, None]:
        as_list = len(self._chosen) > 1
        for number, candidate in enumerate(self._chosen, start=1):
            citation = citation_from(
                self._passages[candidate.index], number=number, quote_span=(candidate.start, candidate.end)
            )
            self._citations.append(citation)
            yield citation
            piece = f"{'- ' if as_list else ''}{self._shown(candidate)} [{number}]\n"
            self._text += piece
            yield piece

    def _shown(self, candidate: Candidate) -> str:
        passage = self._passages[candidate.index]
        return readable(candidate.text, lead_in=lead_in(passage.text, candidate.start))

    @property
    def result(self) -> Synthesis:
        return Synthesis(
            text=self._text.strip(),
            citations=tuple(self._citations),
            found=bool(self._chosen),
            passages_used=len({candidate.index for candidate in self._chosen}),
        )


def readable(sentence: str, *, lead_in: str = "") -> str:
    """The sentence without Markdown: no bullets, emphasis or links; cells of a table row joined by dashes."""
    text = _EMPHASIS.sub("", _LINK.sub(r"\1", sentence))
    if text.startswith("|"):
        text = " – ".join(cell for cell in (part.strip() for part in text.strip("|").split("|")) if cell)
    text = " ".join(_MARKER.sub("", text).split())
    return f"{lead_in} {text}" if lead_in else text


def lead_in(text: str, start: int) -> str:
    """The line ending with a colon that the list item at `start` belongs to, or ""."""
    if not _MARKER.match(text[start : start + 12]):
        return ""
    for line in reversed(text[:start].splitlines()):
        plain = line.strip()
        if plain and not _MARKER.match(plain):
            return readable(plain) if plain.endswith(":") and not _HEADING.match(plain) else ""
    return ""


def _is_sentence(text: str) -> bool:
    plain = text.strip()
    says_something = len(plain.split()) >= _LEAST_WORDS or bool(re.search(r"\d", plain))
    return says_something and not _HEADING.match(plain) and not plain.endswith(":")


def _word_scores(
    candidates: Sequence[Candidate], wanted: frozenset[str], passages: Sequence[Passage], analyser: Analyser
) -> list[float]:
    """BM25 of each sentence among all of them, in [0, 1]; words of its headings count by half."""
    headings = [content_lemmas(" ".join((passage.title, *passage.heading_path)), analyser) for passage in passages]
    index = BM25Plus([[*candidate.lemmas] or [""] for candidate in candidates], b=0.3)
    idf = {lemma: index.idf.get(lemma, max(index.idf.values())) for lemma in wanted}
    total = sum(idf.values()) or 1.0
    return [
        sum(
            weight * max(_kinship(lemma, candidate.lemmas), _HEADING_SHARE * (lemma in headings[candidate.index]))
            for lemma, weight in idf.items()
        )
        / total
        for candidate in candidates
    ]


def _kinship(lemma: str, others: frozenset[str]) -> float:
    """1 for the word itself, less for one that only begins alike: `wynajem` and `wynająć`."""
    return 1.0 if lemma in others else max((alike(lemma, other) for other in others), default=0.0)


def _choose(candidates: Sequence[Candidate], most: int) -> list[Candidate]:
    """The best ones that are near the best and unlike each other."""
    chosen: list[Candidate] = []
    for candidate in candidates:
        if len(chosen) == most or candidate.score < _WORTH_SHOWING * candidates[0].score:
            break
        if all(_overlap(candidate.lemmas, other.lemmas) < 0.7 for other in chosen):
            chosen.append(candidate)
    return chosen


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / max(1, min(len(left), len(right)))
