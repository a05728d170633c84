"""What an answer by rules shows of its worth. More of any of these never makes it less likely to be right."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from ingestion.text.meaning.vocabulary import meaning_of_text
from rag.answering.judgement.question_words import Words
from rag.answering.judgement.usual_words import usualness
from rag.answering.synthesis.extractive.matching import Cover, joined
from rag.answering.synthesis.protocol import Synthesis
from rag.types import Citation, Passage

_READ = 4  # passages whose words are looked at
_WORDS = 4
_ALONE = 0.6  # what the lead is on average, where there is nothing to lead before
_STRANGE = 1.5  # what the share of strange words counts for: two of three are all

PARTS = ("words", "lead", "ahead", "read", "likely", "familiar", "usual", "meaning")


def parts_of(words: Words, passages: Sequence[Passage], synthesis: Synthesis) -> Mapping[str, float]:
    """Each of PARTS, in [0, 1]. The synthesis has one citation at least."""
    first = synthesis.citations[0]
    covers = list(_covers(words, passages))
    return {
        "words": min(1.0, max(map(words.count, covers)) / words.much(_WORDS)),
        "lead": _lead(passages),
        "ahead": _ahead(passages, first),
        "read": synthesis.signs.get("read", 0.0),
        "likely": synthesis.signs.get("likely", 0.0),
        "familiar": 1.0 - min(1.0, _STRANGE * words.strangeness(reduce(joined, covers))) ** 2,
        "usual": usualness(words.unsaid_in(cited_text(passages, synthesis.citations))),
        "meaning": max(
            0.0, float(words.meaning @ meaning_of_text(f"{_above(first.title, first.heading_path)}\n{first.quote}"))
        ),
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


def _above(title: str, headings: Sequence[str]) -> str:
    return "\n".join((title, *headings))


def _lead(passages: Sequence[Passage]) -> float:
    """By how much the first passage's score is above that of the best of another document; of one alone, as mostly."""
    if len(passages) == 1:
        return _ALONE
    first = passages[0]
    others = (passage.score for passage in passages if passage.document_id != first.document_id)
    lead = first.score - max(others, default=passages[-1].score)
    return max(0.0, lead) / (1.0 + max(0.0, lead))


def _ahead(passages: Sequence[Passage], cited: Citation) -> float:
    """By how much the score of the answer's passage is above that of the best other one; below a half: it is not."""
    own = max((passage.score for passage in passages if passage.chunk_id == cited.chunk_id), default=passages[-1].score)
    others = (passage.score for passage in passages if passage.chunk_id != cited.chunk_id)
    ahead = own - max(others, default=own)
    return (1.0 + ahead / (1.0 + abs(ahead))) / 2
