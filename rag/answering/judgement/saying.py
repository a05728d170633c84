"""Whether a text says a word of the question: itself, one of its family, or another word for it."""

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.kinship import are_derived
from rag.answering.judgement.question_words import Words
from rag.question import SubstituteWords
from rag.search.query.terms import QueryTerm


def lemmas_of(text: str) -> frozenset[str]:
    return frozenset(lemma for _, lemma in analyser().words(text))


def says(words: Words, term: QueryTerm, told: frozenset[str]) -> bool:
    """`told` are the lemmas of the text."""
    others = (other for other in words.question.background.others if term.typed in other.typed)
    return says_itself(term, told) or any(told.issuperset(other.lemmas) for other in others)


def names(words: Words, name: QueryTerm, told: frozenset[str]) -> bool:
    """Itself, or by as many words for it, or for a phrase with it, that repeat none of them: "zasiłek chorobowy" for
    "pieniądze za L4". What has a word of "certyfikat KSeF" need not be of KSeF.
    """
    others = (other for other in words.question.background.others if name.typed in other.typed)
    whole = (other for other in others if _is_all_of_it(words, other))
    return says_itself(name, told) or any(told.issuperset(other.lemmas) for other in whole)


def _is_all_of_it(words: Words, other: SubstituteWords) -> bool:
    typed = (term for term in words.query.terms if term.typed in other.typed)
    repeats = any(reading.lemma in other.lemmas for term in typed for reading in term.readings)
    return len(other.lemmas) >= len(other.typed) and not repeats


def says_itself(term: QueryTerm, told: frozenset[str]) -> bool:
    """In any inflection, or as a word of its family."""
    own = {reading.lemma for reading in term.readings}
    folded = {fold(lemma) for lemma in own}
    return bool(own & told) or any(are_derived(one, fold(lemma)) for lemma in told for one in folded)
