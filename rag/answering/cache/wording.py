"""When two questions ask the same in other words. Too strict costs an answer's time, too lax gives a wrong answer.

"po 5 latach" and "po 10 latach", "z prawem" and "bez prawa", "najniższa" and "niższa", "wydał" and "wyda" are near
each other in every vector space and have the same lemmas, or nearly. So words must be the same; free are case, white
space, punctuation at the ends of words, what only makes a question polite, and, in Polish, the order of phrases.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator

from ingestion.text.morphology.stop_words import FOLDED_STOP_WORDS, STOP_WORDS

_FILLERS = frozenset("proszę prosze powiedz podaj mi no więc wiec jest są sa witam cześć hej please tell the".split())
_OPENINGS = frozenset("a i czy".split())
_PUNCTUATION = ".,;:?!…()[]"
# Quotes and exclusions are a language of their own: there every sign counts.
_OPERATORS = re.compile(r"[\"„”“«»]|(?:^|\s)-\w")


def exact(text: str) -> str:
    """The hash of the question as it is typed, white space and case aside."""
    return _hash([_plain(text)])


def wording(text: str, language: str) -> str:
    """A hash that two questions share where they are made of the same phrases.

    A phrase is a word with the function words and numbers before it ("po 10 latach", "nie zasiłek", "z Krakowa"), so a
    preposition or a negation never changes its word. In Polish, whose inflection says who does what to whom, phrases
    may change places; those with numbers and names keep their order.
    """
    words = [] if _OPERATORS.search(text) else list(_telling(text))
    if not words:
        return exact(text)
    phrases = list(_phrases(words))
    if language != "pl":
        return _hash(_plain(phrase) for phrase in phrases)
    fixed = [phrase for phrase in phrases if _is_fixed(phrase)]
    return _hash([*sorted(map(_plain, phrases)), "", *map(_plain, fixed)])


def _telling(text: str) -> Iterator[str]:
    """The words without those that add nothing; the first one in lower case, where a capital means nothing."""
    started = False
    for typed in unicodedata.normalize("NFC", text).split():
        word = typed.strip(_PUNCTUATION)
        plain = word.casefold()
        if word and plain not in _FILLERS and (started or plain not in _OPENINGS):
            yield word if started else plain
            started = True


def _phrases(words: Iterable[str]) -> Iterator[str]:
    run: list[str] = []
    for word in words:
        run.append(word)
        if not (_is_function_word(word.casefold()) or _has_digit(word)):
            yield " ".join(run)
            run = []
    if run:
        yield " ".join(run)


def _is_function_word(word: str) -> bool:
    return word in STOP_WORDS or word in FOLDED_STOP_WORDS


def _is_fixed(phrase: str) -> bool:
    return _has_digit(phrase) or phrase != phrase.lower()


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()
