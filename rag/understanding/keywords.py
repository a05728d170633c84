"""What a question is about: its content lemmas, and the identifiers and names it mentions."""

import re
from collections.abc import Iterable
from functools import lru_cache

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.stop_words import STOP_WORDS
from ingestion.types import Token

# Typed without diacritics a function word is still one: "ktora", "sie".
_FUNCTION_WORDS = frozenset(fold(word) for word in STOP_WORDS)
# Lemmas, folded, that say what to do with the topic; passages about the topic do not contain them.
_REQUESTS = frozenset(
    """porownac porownanie roznica roznic stresc strescic streszczenie podsumowac podsumuj podsumowanie wyjasnic
    wyjasnij zrobic skrot versus vs compare comparison difference summarise summarize summary overview explain
    describe tell show give please need want""".split()
)
_NO_TOPIC = frozenset(
    """czesc hej hejka siema witam witaj dzien dobry wieczor halo hello hi hey good morning afternoon dzieki dziekuje
    bardzo pieknie thanks thank you thx ok okej okay super swietnie jasne dobrze yes no do widzenia bye pozdrawiam
    pytanie pytanko question questions quick another jedno mozesz moglbys pomoc pomocy pomoz help please test testing
    thats all wszystko nic niewazne lot prosba sprawa sprawe got zrobic znalezc dziala chodzi works""".split()
)

_CAPITAL = "A-ZĄĆĘŁŃÓŚŹŻ"
_UNIT = r"(?:\s*(?:ust|pkt|lit|zd|par)\.?\s*(?:\d+[a-z]{0,2}|[a-z])\b)*"
# In order of precedence; each is tried at every place of the text.
_ENTITY_KINDS = (
    r"(?:NIP|REGON|PESEL|KRS|IBAN)[:\s]*(?:PL\s?)?\d[\d\s-]*\d",
    rf"§+\s*\d+[a-z]?{_UNIT}",
    rf"\b[Aa]rt\.?\s*\d+[a-z]{{0,2}}\b{_UNIT}",
    r"\bDz\.\s?U\.(?:\s*z)?\s*\d{4}(?:\s*r\.)?(?:\s*nr\s*\d+)?\s*(?:poz\.\s*\d+)?",
    r"\b[A-Z]+(?:[./-][A-Z\d]+)*\.\d+(?:[./-][A-Z\d]+)+\b",  # a case number: OR.0050.12.2024
    r"\b\d+(?:/[A-Z\d]+)*/(?:19|20)?\d\d\b",  # the number of an act: 45/2024
    r"(?<!\w)\.?[a-z]\w*\.(?:env|py|js|json|ya?ml|toml|ini|conf|cfg|sql|csv|xml|docx?|pdf|md|sh|log)\b|(?<!\w)\.env\b",
    r"\b[a-zA-Z]+(?:_[a-zA-Z\d]+)+\b",
    # names of one or more words, with a version or number: Urząd Miasta, KSeF 2.0, HTTP 429
    rf"\b[{_CAPITAL}]\w+(?:\s(?:of\s|ds\.\s|im\.\s)?[{_CAPITAL}]\w+)*(?:[\s-]v?\d+(?:\.\d+)*\b(?![\w/]))?",
    rf"\b(?=\w\w)\w*[{_CAPITAL}]\w*\b",  # eIDAS
)
_ENTITY = re.compile("|".join(f"(?:{kind})" for kind in _ENTITY_KINDS))
_SENTENCE_START = re.compile(r"(?:^|[.!?…:]\s)[\s\"„”“(«-]*$")
_LONGEST = 8  # the characters of ". „" and the like that may stand before the first word of a sentence


def entities(text: str) -> tuple[str, ...]:
    """Identifiers and capitalised names as they are written, each once, in order of appearance.

    A word that is capitalised only because a sentence starts with it is none; in a text all in capitals nothing
    stands out, so only what has digits counts.
    """
    shouted = text.isupper() and len(text.split()) > 2
    found = (_without_sentence_start(text, match) for match in _ENTITY.finditer(text))
    named = (entity for entity in found if entity and (not shouted or any(map(str.isdigit, entity))))
    return tuple(dict.fromkeys(named))


def keywords(text: str, named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Content lemmas, each once, most specific first: words of the entities `named`, words that no dictionary has,
    then the longer before the shorter. Words that only ask ("porównaj") are left out unless there are no others.
    """
    content = [token for token in analyser().tokens(text) if fold(token.form) not in _FUNCTION_WORDS]
    topical = [token for token in content if fold(token.lemma) not in _REQUESTS] or content
    names = {token.form for entity in named for token in analyser().tokens(entity)}
    ranked = sorted(topical, key=lambda token: _specificity(token, names), reverse=True)
    return tuple(dict.fromkeys(token.lemma for token in ranked))


def names_no_topic(folded: Iterable[str]) -> bool:
    """Whether the words, lower case and without diacritics, only greet, thank or point: nothing to look for."""
    return all(word in _FUNCTION_WORDS or word in _NO_TOPIC for word in folded)


def _specificity(token: Token, names: set[str]) -> tuple[bool, bool, int]:
    return token.form in names, not _is_dictionary_word(token.form), len(token.lemma)


@lru_cache(maxsize=50_000)
def _is_dictionary_word(form: str) -> bool:
    return analyser().lemmatiser.knows(form)


def _without_sentence_start(text: str, match: re.Match[str]) -> str:
    """The entity in `match` without the plain word that opens the sentence; empty if nothing is left."""
    entity = match.group().strip()
    first, _, rest = entity.partition(" ")
    if not _is_plain(first) or not _SENTENCE_START.search(text, max(0, match.start() - _LONGEST), match.start()):
        return entity
    if _asks(first) or not rest:
        return rest if rest[:1].isalpha() else ""
    return entity


def _is_plain(word: str) -> bool:
    """Whether only the first letter of `word` is a capital, as that of any word may be."""
    return word.isalpha() and word[1:] == word[1:].lower()


def _asks(word: str) -> bool:
    """Whether `word` is a function word or a request ("Porównaj"): never part of the name that follows it."""
    tokens = analyser().tokens(word)
    lemmas = {fold(token.lemma) for token in tokens}
    is_verb = any(token.lemma.endswith("ć") for token in tokens)
    return is_verb or fold(word).lower() in _FUNCTION_WORDS or bool(lemmas & _REQUESTS)
