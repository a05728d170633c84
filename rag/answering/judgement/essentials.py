"""What a text must say of a question to be about the same thing: its names, its kind of thing, what has a price."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.kinship import are_derived
from ingestion.text.names.name_words import name_words
from ingestion.types import Token
from rag.answering.judgement.parts import cited_text
from rag.answering.judgement.question_words import Words
from rag.answering.synthesis.extractive.pieces import Piece, pieces_of
from rag.search.query.terms import QueryTerm
from rag.types import Citation, Passage
from rag.understanding.expected import ExpectedAnswer, expected
from rag.understanding.expected.valued_things import valued_things

_CLASSIFYING = ("owy", "ski", "cki", "ny", "czy")  # "ojcowski", "zbliżeniowy" name a kind; "duży", "świeżutki" do not
_BESIDE_THE_MATTER = frozenset(("nazwa_pospolita", "imię", "nazwisko", "nazwa_geograficzna"))  # of SGJP
_USUAL = 3  # chunks from which on a word that no dictionary has is one of the library's


def lacks_an_essential(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    """Whether what is cited has nothing of a name that the question asks about, of the kind that it says a thing is,
    "urlop ojcowski", or has no value for what it asks the price or the time of.
    """
    told = _lemmas(cited_text(passages, citations))
    if any(not _is_said(words, term, told) for term in (*_names(words), *_kinds(words))):
        return True
    return _is_unvalued(words, passages, citations)


def _names(words: Words) -> Iterator[QueryTerm]:
    """Of products, bodies and the like, that it asks about."""
    asked = (term for term in words.query.terms if term.lemma in words.asked_about)
    return (term for term in asked if (_is_own_name(term) if term.name else _is_foreign(term)))


def _is_own_name(term: QueryTerm) -> bool:
    """Whether it is no noun that offices write with a capital, and no person or town, of the situation that is told."""
    readings = name_words().readings(term.typed.capitalize())
    return not _BESIDE_THE_MATTER.intersection(label for _, _, labels in readings for label in labels)


def _is_foreign(term: QueryTerm) -> bool:
    """Whether the library has the word and no dictionary does, as it is typed: "syntex"."""
    as_typed = term.lemma_chunks >= _USUAL and [reading.form for reading in term.readings] == [term.typed]
    return as_typed and term.typed.isalpha() and not analyser().lemmatiser.knows(term.typed)


def _kinds(words: Words) -> Iterator[QueryTerm]:
    """The adjectives that name a kind, as they do right after their noun: "urlop ojcowski"."""
    question = words.question.text
    terms = {term.typed: term for term in words.query.terms}
    for noun, after in pairwise(analyser().tokens(question)):
        beside = question[noun.end : after.start] == " " and after.form in terms and not analyser().is_stop_word(noun)
        if beside and name_words().is_noun(noun.form) and _is_classifying(after):
            yield terms[after.form]


def _is_classifying(token: Token) -> bool:
    readings = name_words().readings(token.form)
    bases = [base for base, tag, _ in readings if tag.startswith("adj:")]
    return len(bases) == len(readings) > 0 and all(base.endswith(_CLASSIFYING) for base in bases)


def _is_unvalued(words: Words, passages: Sequence[Passage], citations: Sequence[Citation]) -> bool:
    asked = expected(words.question.text)
    terms = {term.typed: term for term in words.query.terms}
    things = [terms[thing.form] for thing in valued_things(words.question.text) if thing.form in terms]
    if not things or asked.wanted is None:
        return False
    told = [_lemmas(text) for text in _valued(asked, passages, citations)]
    return any(not any(_is_said(words, thing, lemmas) for lemmas in told) for thing in things)


def _valued(asked: ExpectedAnswer, passages: Sequence[Passage], citations: Sequence[Citation]) -> Iterator[str]:
    """The pieces of the cited passages that have a value as is asked for, each with what stands above it."""
    cited = {citation.chunk_id for citation in citations}
    for passage in passages:
        if passage.chunk_id in cited:
            for piece in pieces_of(passage.text, passage=0):
                if asked.has_answer(piece.text):
                    yield _with_frame(piece, passage)


def _with_frame(piece: Piece, passage: Passage) -> str:
    lead_in = passage.text[slice(*piece.lead_in)] if piece.lead_in else ""
    above = (passage.title, *passage.heading_path, *piece.above, piece.heading)
    return " ".join((*above, piece.header, lead_in, piece.text))


def _lemmas(text: str) -> frozenset[str]:
    return frozenset(lemma for _, lemma in analyser().words(text))


def _is_said(words: Words, term: QueryTerm, told: frozenset[str]) -> bool:
    """Itself, what may come from the same word, or another word for it."""
    own = {reading.lemma for reading in term.readings}
    if own & told or any(
        term.typed in other.typed and told.issuperset(other.lemmas) for other in words.question.background.others
    ):
        return True
    folded = {fold(lemma) for lemma in own}
    return any(are_derived(one, fold(lemma)) for lemma in told for one in folded)
