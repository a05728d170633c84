"""The one to three sentences of a source that come nearest to a claim, by the words and facts they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from ingestion.text.morphology.kinship import LEAST, alike
from rag.answering.verification.names import keys_of, stands_in
from rag.answering.verification.sentence import Sentence, read_sentences
from rag.types import Citation, Passage
from rag.understanding.facts.fact import Fact, agreeing
from rag.understanding.language import question_language

MAX_SENTENCES = 3
WORTH_A_SENTENCE = 0.1
"""The share of the claim that one more sentence must add, or every claim would get three."""
AKIN = 0.6
"""Words that begin alike to this share are of one family: `wynajem` and `wynajęcie`. Below, they only look so."""
HEADING_SHARE = 0.7
"""What a word of the title or the headings counts: they name the topic of every sentence below them."""
READ_CLOSELY = 5


@dataclass(frozen=True)
class CitedSource:
    """What a citation points to."""

    text: str
    about: str

    @cached_property
    def sentences(self) -> Sequence[Sentence]:
        return read_sentences(self.text)

    @cached_property
    def language(self) -> str:
        """As in `question_language`, "" where its words do not tell."""
        return question_language(self.text, "")

    @cached_property
    def heading(self) -> Sentence:
        """Title and headings as one sentence."""
        return Sentence(self.about)


@dataclass(frozen=True)
class SentenceWindow:
    """Some sentences of one or more sources, and the headings above them."""

    sentences: tuple[Sentence, ...]
    headings: tuple[Sentence, ...]

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(chain.from_iterable(sentence.facts for sentence in self.sentences))

    @cached_property
    def lemmas(self) -> frozenset[str]:
        return frozenset().union(*(sentence.lemmas for sentence in self.sentences))

    def shares(self, claim: Sentence) -> dict[str, float]:
        """How far each word of the claim is there, in [0, 1]."""
        above = frozenset[str]().union(*(heading.lemmas for heading in self.headings))
        return {word: max(kinship(word, self.lemmas), HEADING_SHARE * (word in above)) for word in claim.topic}


def source(passage: Passage) -> CitedSource:
    """The passage with what stands around it, as a model was shown it."""
    text = f"{passage.context_before} {passage.text} {passage.context_after}".strip()
    return CitedSource(text, "\n".join(dict.fromkeys([passage.title, *passage.heading_path])))


def source_of(citation: Citation, read: Sequence[tuple[Passage, CitedSource]]) -> CitedSource:
    """That of the passage that was cited; the quote alone where the passage is no longer at hand."""
    found = next((source for passage, source in read if _is_cited(passage, citation)), None)
    return found or CitedSource(citation.quote, "\n".join(dict.fromkeys([citation.title, *citation.heading_path])))


def _is_cited(passage: Passage, citation: Citation) -> bool:
    if citation.chunk_id:
        return citation.chunk_id in {passage.chunk_id, *(place.chunk_id for place in passage.places)}
    return passage.uri == citation.uri and passage.start <= citation.start < max(passage.end, passage.start + 1)


def nearest(claim: Sentence, source: CitedSource) -> SentenceWindow:
    """Adjacent sentences; ties go to fewer, then to the earlier. A source without sentences gives an empty window."""
    sentences = source.sentences
    rows = _rows(claim, sentences)
    total = max(1, len(claim.topic) + len(claim.facts) + len(claim.names))
    best, best_gain = (0, 0), -1.0
    for size in range(1, MAX_SENTENCES + 1):
        for first in range(len(rows) - size + 1):
            joint = (max(column) for column in zip(*rows[first : first + size], strict=True))
            gain = sum(joint) / total - WORTH_A_SENTENCE * (size - 1)
            if gain > best_gain + 1e-9:
                best, best_gain = (first, first + size), gain
    return SentenceWindow(tuple(sentences[best[0] : best[1]]), (source.heading,))


def _rows(claim: Sentence, sentences: Sequence[Sentence]) -> list[list[float]]:
    """For each sentence, how far it has each word, each fact and each name of the claim.

    Facts and names are read only where the words promise something: reading them takes most of the time.
    """
    words = [[kinship(word, sentence.lemmas) for word in claim.topic] for sentence in sentences]
    written = {token.form for token in claim.tokens}

    def promise(place: int) -> tuple[float, int]:
        """A row of a table may have no words but its values."""
        return sum(words[place]), len(written & {token.form for token in sentences[place].tokens})

    promising = set(sorted(range(len(words)), key=promise, reverse=True)[:READ_CLOSELY])
    silent = [0.0] * (len(claim.facts) + len(claim.names))
    return [
        row + (_stated(claim, sentence) if place in promising else silent)
        for place, (row, sentence) in enumerate(zip(words, sentences, strict=True))
    ]


def _stated(claim: Sentence, sentence: Sentence) -> list[float]:
    facts = [float(agreeing(fact, sentence.facts)) for fact in claim.facts]
    keys = keys_of(sentence.names) if claim.names else frozenset[str]()
    return facts + [float(stands_in(name, keys, sentence.lemmas, sentence.text)) for name in claim.names]


def kinship(word: str, others: frozenset[str]) -> float:
    """1 for the word itself, less for one of its family, else 0."""
    if word in others:
        return 1.0
    best = max((alike(word, other) for other in _by_beginning(others).get(word[:LEAST], ())), default=0.0)
    return best if best >= AKIN else 0.0


@lru_cache(maxsize=1000)
def _by_beginning(words: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """Only words that begin alike can be of one family."""
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(word[:LEAST], []).append(word)
    return groups
