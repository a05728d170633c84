"""Whether a text has a value as is asked for, a price, a day, a name, beside the thing that the question asks it of."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.answering.judgement.framing import cited_pieces
from rag.answering.judgement.objects import may_be_a_verb, stands_in_any_question
from rag.answering.judgement.question_words import Words
from rag.answering.judgement.saying import lemmas_of, says, says_itself
from rag.search.query.terms import QueryTerm
from rag.types import Citation, Passage
from rag.understanding.entries import has_answer
from rag.understanding.expected import Kind, expected
from rag.understanding.expected.valued_things import valued_things
from rag.understanding.facts.quantities import unit_of

# Where to go or whom to call stands in lists and lines of their own, apart from what it is for.
_WITH_ITS_THING: frozenset[Kind] = frozenset(
    ("money", "number", "duration", "hour", "day", "date", "percentage", "agent", "person")
)
_APART = 2  # words that stand together elsewhere and not with a value; one alone is of no weight (docs/benchmarks.md)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What a cited piece says: its lemmas and those of what stands above it."""

    lemmas: frozenset[str]
    has_value: bool


def lacks_its_value(
    words: Words, passages: Sequence[Passage], citations: Sequence[Citation], kinds: Sequence[QueryTerm]
) -> bool:
    """Whether no piece has a value and what the question asks the price or the time of, or one of the `kinds` of thing
    that it names; or whether its words stand together in one piece and the values in others.
    """
    asked = expected(words.question.text)
    if asked.wanted is None:
        return False
    pieces = [
        _Told(lemmas=lemmas_of(framed), has_value=has_answer(asked, piece.text, piece.heading))
        for piece, framed in cited_pieces(passages, citations)
    ]
    valued = [piece for piece in pieces if piece.has_value]
    if any(not any(says(words, one, piece.lemmas) for piece in valued) for one in (*_things(words), *kinds)):
        return True
    if asked.wanted not in _WITH_ITS_THING:
        return False
    telling = list(_telling(words))
    return _most_said(telling, pieces) - _most_said(telling, valued) >= _APART


def _things(words: Words) -> Iterator[QueryTerm]:
    terms = {term.readings[0].form: term for term in words.query.terms if term.readings}
    return (terms[thing.form] for thing in valued_things(words.spelt) if thing.form in terms)


def _telling(words: Words) -> Iterator[QueryTerm]:
    """The words of its last sentence that tell of what a value is asked: no verbs, no units, none of any question, no
    parts of an identifier.
    """
    terms = {term.typed: term for term in words.query.terms if term.lemma in words.asked_about}
    parts = Counter(token.start for token in words.last_tokens)
    for token in words.last_tokens:
        term = terms.get(token.form)
        if term and parts[token.start] == 1 and unit_of(token) is None and _tells(term):
            yield term


def _tells(term: QueryTerm) -> bool:
    return not stands_in_any_question(term) and not may_be_a_verb(term)


def _most_said(terms: Sequence[QueryTerm], pieces: Sequence[_Told]) -> int:
    """Of the terms, themselves or words of their family, as many as one piece has."""
    return max((sum(says_itself(term, piece.lemmas) for term in terms) for piece in pieces), default=0)
