"""What the reader's templates need to know of a passage that was found."""

from django import template

from rag.chat.answering.reasons import Why, why_found
from rag.search.hits import forms_found
from rag.types import Passage

register = template.Library()


@register.filter
def why(passage: Passage) -> Why:
    """For `chat/_explanation.html`."""
    return why_found(passage)


@register.filter
def found_words(passage: Passage) -> frozenset[str]:
    """The forms by which it was found, to be marked in its text."""
    return forms_found(passage.explanation.words)
