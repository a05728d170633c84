"""The words of a question, and where a text has them in any inflection."""

from collections.abc import Callable, Collection
from functools import lru_cache

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from ingestion.text.analyser import analyser
from ingestion.types import Token
from rag.search.hits import styled_hits


@lru_cache(maxsize=2_000)
def content_tokens(question: str) -> tuple[Token, ...]:
    """The words that say what is asked, each once, in order: function words left out."""
    return tuple({token.form: token for token in analyser().content_tokens(question)}.values())


def question_words(*texts: str) -> frozenset[str]:
    """Lemmas of the words of a question and of what was understood or corrected in it."""
    return frozenset(token.lemma for text in texts for token in content_tokens(text))


def marked_words(text: str, wanted: Collection[str], *, rest: Callable[[str], str] = escape) -> SafeString:
    """`text` with the words in `<mark class="hit">` whose form or lemma is `wanted`; `rest` escapes what is between."""
    return mark_safe(styled_hits(text, wanted, hit=_hit, rest=rest))


def _hit(word: str) -> str:
    return format_html('<mark class="hit">{}</mark>', word)
