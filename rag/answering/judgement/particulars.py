"""What the value asked for must come with: its period, the name of a firm, a word of paying."""

import re
from collections.abc import Iterator, Sequence

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.names.names import find_names
from ingestion.text.sentences import sentence_spans
from rag.answering.judgement.framing import cited_pieces
from rag.answering.judgement.parts import cited_text
from rag.answering.judgement.question_words import Words
from rag.types import Citation, Passage
from rag.understanding.expected import expected
from rag.understanding.expected.agents import is_post_or_body, stems_of

# What asks for it, without diacritics in lower case, and what a text of it says: "na kwartał" is in "kwartalnie".
_PERIODS = [
    (re.compile(rf"\b(?:na|za|co) (?:kazd\w+ |jed\w+ )?(?:{asked})\b"), re.compile(said, re.IGNORECASE))
    for asked, said in (
        (r"kwarta\w+", r"kwarta"),
        (r"miesia?[ce]\w*", r"miesi"),
        (r"rok", r"\b(?:rok|rocz|lat|letn)"),
        (r"tydzien", r"\b(?:tydzie|tygodni)"),
        (r"dobe|dzien", r"\b(?:dob|dni|dzie)"),
        (r"godzine", r"godz"),
        (r"semestr|polrocze", r"semestr|półroc"),
    )
]
_ASKS_OF_PAYING = re.compile(
    r"\b(?:(?:do|za|o)?plac(?:ic|i|e|a|imy)|kosztuj\w*|bezplatn\w+|(?:za )?darmo|gratis|platn[aeyi])\b"
)
_OF_PAYING = re.compile(
    r"płac|płat|koszt|darmo|gratis|odpłat|\bzł\b|złot|\bcen[aęyi]|\bPLN|refund|fee|price", re.IGNORECASE
)
# Not "jaka firma może": that asks which kind of one.
_ASKS_FOR_A_FIRM = re.compile(
    r"\b(?:jak|ktor)\w+ (?:to )?(bank|firm|operator|dostawc|producent|wykonawc|ubezpieczyciel|przewoznik|model"
    r"|mark(?=[aei]\b))\w*\b(?! (?:moze|moga|musi|powin))"
)


def lacks_a_particular(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    """Whether a price is not of the period asked about, "whether it costs" is answered without a word of money, or
    "which bank" without the name of one.
    """
    asked = fold(words.last_sentence).lower()
    return (
        _is_of_another_period(words, asked, cited_text(passages, citations))
        or _says_nothing_of_paying(words, asked, passages, citations)
        or not _names_the_firm(words, asked, passages, citations)
    )


def _is_of_another_period(words: Words, asked: str, told: str) -> bool:
    if expected(words.question.text).wanted != "money":
        return False
    return any(period.search(asked) and not said.search(told) for period, said in _PERIODS)


def _says_nothing_of_paying(
    words: Words, asked: str, passages: Sequence[Passage], citations: Sequence[Citation]
) -> bool:
    """ "Opłaty nie ponosi:" may stand above what is quoted."""
    if "yes_or_no" not in expected(words.question.text).kinds or not _ASKS_OF_PAYING.search(asked):
        return False
    quotes = [citation.quote for citation in citations]
    quoted = (
        framed for piece, framed in cited_pieces(passages, citations) if any(piece.text in quote for quote in quotes)
    )
    return not any(_OF_PAYING.search(text) for text in (*quotes, *quoted))


def _names_the_firm(words: Words, asked: str, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    """True where none is asked for. It is named in a sentence that says "bank" too."""
    firm = _ASKS_FOR_A_FIRM.search(asked)
    if firm is None:
        return True
    return any(_has_new_name(words, text) for text in _sentences_with(firm[1], cited_text(passages, citations)))


def _sentences_with(stem: str, text: str) -> Iterator[str]:
    for start, end in sentence_spans(text):
        if any(fold(form).startswith(stem) for form, _ in analyser().words(text[start:end])):
            yield text[start:end]


def _has_new_name(words: Words, sentence: str) -> bool:
    known = stems_of(words.question.text)
    return any(not is_post_or_body(named.name) and not stems_of(named.name) <= known for named in find_names(sentence))
