"""Who acts, in a text: a person with a name, a post, an office."""

import re
from collections.abc import Iterator

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.names.mention import Named
from ingestion.text.names.name_words import WORD, name_words
from ingestion.text.names.names import find_names

Place = tuple[int, int]

_NAMED_AFTER = re.compile(
    r"(?:\b(?:ul|al|pl|os|im|św)\.|\b(?:ulic|alei|alej|plac|osiedl|imieni|święt)\w*)[ \u00a0]*\Z", re.IGNORECASE
)
_TITLE = re.compile(r"\b(?:pan|pani|pana|panią|panem|panu|p\.|dr|mgr|inż\.|prof\.)[ \u00a0]\Z", re.IGNORECASE)
_STEM = 4  # letters by which a word of the text is known to be one of the question, inflected
_BODIES = frozenset(
    "urząd referat wydział biuro komisja rada zespół dział sąd ministerstwo zarząd kancelaria sekretariat straż "
    "policja agencja inspekcja inspektorat centrum helpdesk izba organ kuratorium ośrodek zakład spółka firma "
    "przedsiębiorstwo jednostka komórka oddział delegatura bank poczta starostwo dyrekcja redakcja sekcja "
    "komenda".split()
)
_POSTS = frozenset(
    "operator kierownik kontroler księgowa sekretarka dyrektorka kierowniczka przewodnicząca pielęgniarka osoba".split()
)


def stems_of(question: str) -> frozenset[str]:
    """What a word of a text begins with, without diacritics, if the question already has it."""
    return frozenset(fold(word).lower()[:_STEM] for word in WORD.findall(question) if len(word) > 2)


def find_persons(text: str, *, known: frozenset[str]) -> Iterator[Place]:
    """Names of persons that the question does not say: a first name and a surname, "p. Nowak"; no street, no saint."""
    for named in find_names(text):
        if _is_person(text, named) and not _is_known(named.name, known):
            yield named.start, named.end


def find_agents(text: str, *, known: frozenset[str]) -> Iterator[Place]:
    """Persons, posts and offices that the question does not say; of a name that has one, "Rada Miasta", all of it.

    An office that writes "odbieramy" says that it does so itself.
    """
    names = find_names(text)
    for token in analyser().tokens(text):
        within = next((named for named in names if named.start <= token.start < named.end), None)
        acts = token.lemma in _BODIES or token.lemma in _POSTS or name_words().is_person(token.form)
        if _says_we(token.form) or (acts and fold(token.form)[:_STEM] not in known):
            yield (within.start, within.end) if within else (token.start, token.end)
        elif within and within.start == token.start and _may_act(text, within) and not _is_known(within.name, known):
            yield within.start, within.end


def _says_we(form: str) -> bool:
    tags = [tag for _, tag, _ in name_words().readings(form)]
    return bool(tags) and all(tag.startswith("fin:pl:pri") for tag in tags)


def _may_act(text: str, named: Named) -> bool:
    """Whether it is a person, a surname alone or a firm; what no dictionary has is mostly a product."""
    if _is_person(text, named):
        return True
    acting = any(map(name_words().is_surname_or_firm, WORD.findall(named.name)))
    return acting and not named.name.isupper() and not _NAMED_AFTER.search(text[: named.start])


def _is_person(text: str, named: Named) -> bool:
    words = WORD.findall(named.name)
    if _NAMED_AFTER.search(text[: named.start]):
        return False
    if len(words) == 1:
        return bool(_TITLE.search(text[: named.start])) and not named.name.isupper()
    given = [name_words().is_given_name(word) for word in words[:2]]
    return len(words) <= 4 and any(given) and all(word[0].isupper() and not word.isupper() for word in words)


def _is_known(name: str, known: frozenset[str]) -> bool:
    return all(fold(word).lower()[:_STEM] in known for word in WORD.findall(name) if len(word) > 2)


def is_post_or_body(name: str) -> bool:
    """Whether it is of an office or of its part, "Referat Finansów", and names no firm."""
    lemmas = {lemma for _, lemma in analyser().words(name)} - {"bank", "firma", "spółka", "operator"}
    return bool(lemmas & (_BODIES | _POSTS)) or any(map(_is_post, WORD.findall(name)))


def _is_post(word: str) -> bool:
    """Whether people are called so who bear the name of none: no "Kaczmarzyk"."""
    common = any("nazwa_pospolita" in labels for _, _, labels in name_words().readings(word))
    return common and name_words().is_person(word)
