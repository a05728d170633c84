"""Why a source was chosen: the words of the question in it, and what each stage of the search said."""

from dataclasses import dataclass

from ingestion.text.analyser import analyser
from rag.chat.rendering.question_words import content_tokens
from rag.search.reasons import Reason, decimal, reasons
from rag.types import Passage, PassageRecord, WordMatch


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundWord:
    """A word of the question: `forms` of it stand in the passage, `related` are synonyms and corrected spellings.

    `lemma` is "" where it is the word itself, `points` (of the search by words) where they are not known.
    """

    typed: str
    lemma: str = ""
    forms: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    points: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    words: tuple[FoundWord, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.reasons)


def why_found(found: Passage | PassageRecord) -> Why:
    """All stages that took part in finding it, in their order; a page of the web was not ranked by any."""
    if found.origin == "web":
        return Why()
    explanation = found.explanation
    return Why(
        words=tuple(_found(match) for match in explanation.words),
        reasons=tuple(reasons(explanation, found.relevance)),
    )


def why_quoted(question: str, quote: str) -> Why:
    """What can still be said of a stored citation: the words of the question in its quote."""
    forms: dict[str, dict[str, None]] = {}
    for token in analyser().tokens(quote):
        forms.setdefault(token.lemma, {})[token.form] = None
    return Why(
        words=tuple(
            FoundWord(typed=token.form, lemma=_other(token.lemma, token.form), forms=tuple(forms[token.lemma]))
            for token in content_tokens(question)
            if token.lemma in forms
        )
    )


def _found(match: WordMatch) -> FoundWord:
    """A form that has another lemma was searched for as a synonym, or instead of a slip."""
    own = [form for form in match.forms if form == match.typed or match.lemma in _lemmas(form)]
    return FoundWord(
        typed=match.typed,
        lemma=_other(match.lemma, match.typed),
        forms=tuple(own),
        related=tuple(form for form in match.forms if form not in own),
        points=decimal(match.contribution, 1),
    )


def _other(lemma: str, typed: str) -> str:
    return lemma if lemma != typed else ""


def _lemmas(form: str) -> set[str]:
    return {lemma for _form, lemma in analyser().words(form)}
