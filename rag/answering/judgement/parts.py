"""What an answer by rules shows of its worth. More of any of these never makes it less likely to be right."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from ingestion.text.meaning.vocabulary import meaning_of_text
from ingestion.text.sentences import sentence_spans
from rag.answering.judgement.question_words import Words
from rag.answering.synthesis.extractive.matching import Cover, joined
from rag.types import Citation, Passage
from rag.understanding.expected import ExpectedAnswer, expected

_READ = 4  # passages whose sentences are looked at
_MUCH = 3.0  # rare words found, of which more do not matter
_IN_ONE_PLACE = 4.0  # the same where they are told with what stands above and before
_IN_HEADINGS = 2.0
_WORDS = 4
_STRANGE = 1.5  # what the share of strange words counts for: two of three are all

PARTS = ("found", "told", "words", "headed", "fit", "lead", "strength", "names", "subject", "familiar", "meaning")


def parts_of(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> Mapping[str, float]:
    """Each of PARTS, in [0, 1]. `citations`, one at least, are the answer's, in its order."""
    asked = expected(words.question.text)
    first = citations[0]
    shown = joined(words.in_text(first.quote), words.in_text(_above(first.title, first.heading_path)))
    covers = list(_covers(words, passages))
    around = words.in_text(cited_text(passages, citations))
    return {
        "found": min(1.0, words.amount(shown, words.weights) / words.much(_MUCH)),
        "told": _told(words, asked, passages),
        "words": min(1.0, max(map(words.count, covers)) / words.much(_WORDS)),
        "headed": _headed(words, passages),
        "fit": (asked.fits(first.quote) + 1) / 2,
        "lead": _lead(passages),
        "strength": _strength(words, passages),
        "names": 1.0 - words.missed(around, words.names),
        "subject": 1.0 - words.missed(around, words.known),
        "meaning": max(
            0.0, float(words.meaning @ meaning_of_text(f"{_above(first.title, first.heading_path)}\n{first.quote}"))
        ),
        "familiar": 1.0 - min(1.0, _STRANGE * words.strangeness(reduce(joined, covers))) ** 2,
    }


def cited_text(passages: Sequence[Passage], citations: Sequence[Citation]) -> str:
    """The passages that the answer is from, whole, with what stands above them."""
    cited = {citation.chunk_id for citation in citations}
    whole = (passage.text for passage in passages if passage.chunk_id in cited)
    quoted = (f"{_above(citation.title, citation.heading_path)}\n{citation.quote}" for citation in citations)
    return "\n".join((*quoted, *whole))


def _covers(words: Words, passages: Sequence[Passage]) -> Iterator[Cover]:
    """How far each of the first passages has the question's words, with what stands above it."""
    for passage in passages[:_READ]:
        yield words.in_text(f"{_above(passage.title, passage.heading_path)}\n{passage.text}")


def _told(words: Words, asked: ExpectedAnswer, passages: Sequence[Passage]) -> float:
    """The most of the question that is said in one place, beside the thing asked for."""
    told = (
        words.amount(cover, words.weights)
        for passage in passages[:_READ]
        for sentence, cover in _sentences(words, passage)
        if asked.has_answer(sentence)
    )
    return min(1.0, max(told, default=0.0) / words.much(_IN_ONE_PLACE))


def _sentences(words: Words, passage: Passage) -> Iterator[tuple[str, Cover]]:
    """Each sentence, and how far it has the question's words with what stands above and before it."""
    above = words.in_text(_above(passage.title, passage.heading_path))
    before: Cover = []
    for start, end in sentence_spans(passage.text):
        own = words.in_text(passage.text[start:end])
        yield passage.text[start:end], joined(joined(own, above), before)
        before = own


def _headed(words: Words, passages: Sequence[Passage]) -> float:
    """The most of what the question is about that a title has with its headings: so much is a subject here."""
    above = (words.in_text(_above(passage.title, passage.heading_path)) for passage in passages[:_READ])
    return min(1.0, max(words.amount(cover, words.topics) for cover in above) / words.much(_IN_HEADINGS))


def _above(title: str, headings: Sequence[str]) -> str:
    return "\n".join((title, *headings))


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
