"""What an answer by rules shows of its worth. More of any of these never makes it less likely to be right.

A word weighs its idf over that of a word that stands in one chunk: so a part means the same in a large knowledge base
as in a small one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ingestion.text.analyser import analyser
from ingestion.text.names.name_words import name_words
from ingestion.text.sentences import sentence_spans
from rag.answering.synthesis.extractive.matching import Cover, WordMatcher, joined
from rag.question import Question
from rag.search.query.analysis import AnalysedQuery
from rag.search.retrieval.lexical import CorpusStatistics
from rag.types import Citation, Passage
from rag.understanding.expected import ExpectedAnswer, expected

_READ = 4  # passages whose sentences are looked at
_MUCH = 3.0  # rare words found, of which more do not matter
_IN_ONE_PLACE = 4.0  # the same where they are told with what stands above and before
_IN_HEADINGS = 2.0

PARTS = ("found", "evidence", "headed", "kind", "fit", "early", "lead", "strength", "names", "familiar")


@dataclass(frozen=True)
class Words:
    """The words of a question that carry a topic, each with its weight in [0, 1], in the order of a `Cover`."""

    question: Question
    query: AnalysedQuery
    statistics: CorpusStatistics

    @cached_property
    def matcher(self) -> WordMatcher:
        return WordMatcher(self.question.text, self.question.background.others)

    @cached_property
    def weights(self) -> list[float]:
        rarest = self.statistics.idf(1) or 1.0
        chunks = {reading.lemma: term.lemma_chunks for term in self.query.terms for reading in term.readings}
        return [min(1.0, self.statistics.idf(chunks.get(lemma, 1)) / rarest) for lemma in self.matcher.lemmas]

    @cached_property
    def topics(self) -> list[float]:
        """The weights of words that can name what the question is about: those of verbs are 0."""
        pairs = zip(self.matcher.lemmas, self.weights, strict=True)
        return [0.0 if lemma.endswith("ć") else weight for lemma, weight in pairs]

    @cached_property
    def strange(self) -> Cover:
        """1 for a noun that the library has under no name, else 0."""
        bridged = {form for other in self.question.background.others for form in other.typed}
        unknown = {
            reading.lemma
            for term in self.query.terms
            if not term.occurs and term.typed not in bridged and name_words().is_noun(term.typed)
            for reading in term.readings
        }
        return [float(lemma in unknown) for lemma in self.matcher.lemmas]

    def share(self, cover: Cover) -> float:
        return self.amount(cover) / (sum(self.weights) or 1.0)

    def amount(self, cover: Cover) -> float:
        return sum(weight * value for weight, value in zip(self.weights, cover, strict=True))

    def topic(self, cover: Cover) -> float:
        return sum(weight * value for weight, value in zip(self.topics, cover, strict=True))

    def in_text(self, text: str) -> Cover:
        return self.matcher.cover(lemma for _, lemma in analyser().words(text))

    def earliness(self, text: str) -> float:
        return self.matcher.earliness(lemma for _, lemma in analyser().words(text))


def parts_of(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> Mapping[str, float]:
    """Each of PARTS, in [0, 1]. `citations`, one at least, are the answer's, in its order."""
    asked = expected(words.question.text)
    first = citations[0]
    shown = joined(words.in_text(first.quote), words.in_text(_above(first.title, first.heading_path)))
    return {
        "found": min(1.0, words.amount(shown) / _MUCH),
        "evidence": _evidence(words, passages),
        "headed": _headed(words, passages),
        "kind": _kind(asked, citations),
        "fit": (asked.fits(first.quote) + 1) / 2,
        "early": words.earliness(first.quote),
        "lead": _lead(passages),
        "strength": _strength(words, passages),
        "names": _names(words, passages),
        "familiar": 1.0 - words.share(words.strange),
    }


def _evidence(words: Words, passages: Sequence[Passage]) -> float:
    """The most of the question that is said in one place."""
    told = (words.amount(cover) for passage in passages[:_READ] for cover in _sentences(words, passage))
    return min(1.0, max(told, default=0.0) / _IN_ONE_PLACE)


def _headed(words: Words, passages: Sequence[Passage]) -> float:
    """The most of what the question is about that a title has with its headings: so much is a subject here."""
    above = (_above(passage.title, passage.heading_path) for passage in passages[:_READ])
    return min(1.0, max(words.topic(words.in_text(text)) for text in above) / _IN_HEADINGS)


def _sentences(words: Words, passage: Passage) -> Iterator[Cover]:
    """How far each sentence, with what stands above and before it, has the question's words."""
    above = words.in_text(_above(passage.title, passage.heading_path))
    before: Cover = []
    for start, end in sentence_spans(passage.text):
        own = words.in_text(passage.text[start:end])
        yield joined(joined(own, above), before)
        before = own


def _above(title: str, headings: Sequence[str]) -> str:
    return "\n".join((title, *headings))


def _kind(asked: ExpectedAnswer, citations: Sequence[Citation]) -> float:
    """1 where what is read first has the thing asked for, a half where it comes later; 1 where none is asked for."""
    if asked.has_answer(citations[0].quote):
        return 1.0
    return 0.5 * any(asked.has_answer(citation.quote) for citation in citations)


def _lead(passages: Sequence[Passage]) -> float:
    """By how much the first passage's score is above that of the best of another document."""
    first = passages[0]
    others = (passage.score for passage in passages if passage.document_id != first.document_id)
    lead = first.score - max(others, default=passages[-1].score)
    return max(0.0, lead) / (1.0 + max(0.0, lead))


def _strength(words: Words, passages: Sequence[Passage]) -> float:
    """The best lexical score, over that of three rare words that stand there once."""
    rarest = words.statistics.idf(1) or 1.0
    score = max(passage.explanation.lexical_score or 0.0 for passage in passages)
    return min(1.0, score / (_MUCH * 2 * rarest))


def _names(words: Words, passages: Sequence[Passage]) -> float:
    """1 less the weight of a name in the question that no passage has."""
    named = {reading.lemma for term in words.query.terms if term.name for reading in term.readings}
    if not named:
        return 1.0
    cover = [0.0] * len(words.weights)
    for passage in passages[:_READ]:
        cover = joined(cover, words.in_text(f"{_above(passage.title, passage.heading_path)}\n{passage.text}"))
    rows = zip(words.matcher.lemmas, words.weights, cover, strict=True)
    return 1.0 - max((weight for lemma, weight, value in rows if lemma in named and value < 0.5), default=0.0)
