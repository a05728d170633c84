"""A question in another language than the documents: worded in theirs by a model, or its reader told that it is not."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ingestion.models import Collection
from rag.errors import LLMError
from rag.llm.prompts import LANGUAGES
from rag.llm.protocol import LanguageModel
from rag.selectors.languages import documents_language
from rag.types import Notice, Tokens
from rag.understanding.meaning.translation import translated

PREFERRED = "pl"
"""What most documents are in. A question in it is searched as it is, whatever they are in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedWording:
    """`text` is what is searched: the question itself unless it was `translated`."""

    text: str
    translated: bool = False
    notices: tuple[Notice, ...] = ()
    usage: Tokens = field(default_factory=Tokens)


def in_documents_language(
    question: str, *, language: str, collections: Sequence[Collection], llm: LanguageModel | None, seconds: float
) -> SearchedWording:
    """`question`, which is in `language`, for a search in `collections`; the model has `seconds`."""
    if language == PREFERRED:
        return SearchedWording(text=question)
    theirs = documents_language(collections)
    if theirs == language or theirs not in LANGUAGES:
        return SearchedWording(text=question)
    if llm is None:
        return SearchedWording(text=question, notices=(_untranslated(theirs, _("no language model translates it")),))
    try:
        text, usage = translated(question, into=theirs, llm=llm, seconds=seconds)
    except LLMError:
        failed = _untranslated(theirs, _("the language model that translates it did not answer"))
        return SearchedWording(text=question, notices=(failed,))
    return SearchedWording(text=text, translated=text != question, usage=usage)


def _untranslated(theirs: str, why: str) -> Notice:
    """What a search for foreign words comes to, and what to do instead."""
    message = {
        "pl": _(
            "The documents are in Polish and the question is not: %(why)s, so that only names, numbers and words that "
            "are written alike were found. Ask in Polish."
        ),
        "en": _(
            "The documents are in English and the question is not: %(why)s, so that only names, numbers and words that "
            "are written alike were found. Ask in English."
        ),
    }[theirs]
    return Notice(code="other_language", message=message % {"why": why})
