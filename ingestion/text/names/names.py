"""Capitalised names in Polish text, by rules: persons, bodies, places. One key joins the inflections of a name."""

import re
from collections.abc import Iterator

from ingestion.text.names.mention import Named
from ingestion.text.names.name_rows import in_a_row
from ingestion.text.names.name_words import WORD, name_key, name_words
from ingestion.text.sentences import ends_with_abbreviation

_UPPER = "A-ZĄĆĘŁŃÓŚŹŻÄÖÜÉÁÇČŠŽ"
_LATER = r"[^\W_]*(?:[-–'’][^\W_]+)*"
_CAPITALISED = rf"[{_UPPER}]{_LATER}"
_LINK = r"nad|pod|im\.|ds\.|do spraw|de|von|van|da|del|der|of|the|du|la|i|oraz"
# Between quotation marks a title goes on over any short word: „Urząd w Telefonie”.
_TITLE = rf"(?<=[„«].){_LATER}(?:[ \u00a0](?:[^\W\d_{_UPPER}]{{1,3}}[ \u00a0])?{_CAPITALISED})+(?=[”»])"
_ROW = rf"(?<!\w.)(?<![\w][-–/.@].){_LATER}(?:[ \u00a0](?:(?:{_LINK})[ \u00a0])?{_CAPITALISED})*"
# What stands before it is asked after the capital: a search goes from capital to capital then, five times as quick.
_NAME = re.compile(rf"[{_UPPER}](?:{_TITLE}|{_ROW})")
_CODE = "kodeks"
_OF_A_CODE = re.compile(
    r"[ \u00a0](?:pracy|wykroczeń|wyborcz\w+|morski\w*|cywiln\w+|karn\w+(?: wykonawcz\w+| skarbow\w+)?"
    r"|spółek handlowych|rodzinn\w+ i opiekuńcz\w+"
    r"|postępowania (?:w sprawach o wykroczenia|administracyjnego|cywilnego|karnego))\b"
)
_ROMAN = re.compile(r"[IVXLCDM]+")
_BEFORE_A_SENTENCE = frozenset(".!?:;…|#*-–—•>")
_MAX_WORDS = 7
_MAX_ACRONYM = 6


def find_names(text: str) -> list[Named]:
    """In order, without overlaps. Of a word that begins a sentence alone only what no common word is."""
    return [name for match in _NAME.finditer(text) for name in _names(text, match)]


def _names(text: str, match: re.Match[str]) -> Iterator[Named]:
    start = match.start()
    if _is_quoted_title(text, match):
        yield _named(match.group(), start)
        return
    first = _begins_a_sentence(text, start)
    for part in in_a_row(match.group()):
        place = text.index(part, start)
        name, offset = _trimmed(part, first=first)
        name = _whole(text, name, place + offset + len(name))
        first = first and offset == 0
        if name and _is_name(name, first=first) and not (first and _describes(text, name, place + len(name))):
            yield _named(name, place + offset)
        start, first = place + len(part), False


def _named(name: str, start: int) -> Named:
    return Named(key=name_key(name), name=name, kind="name", start=start, end=start + len(name))


def _is_quoted_title(text: str, match: re.Match[str]) -> bool:
    name = match.group()
    between = text[max(0, match.start() - 1) : match.start()] in ("„", "«") and text[match.end() :][:1] in ("”", "»")
    return between and 2 <= len(WORD.findall(name)) <= _MAX_WORDS and not name.isupper()


def _whole(text: str, name: str, end: int) -> str:
    """ "Kodeks" with what it is the code of, which is written in lower case; nothing where the text does not say."""
    if not name.lower().startswith(_CODE) or name_words().key(name) != _CODE:
        return name
    rest = _OF_A_CODE.match(text, end)
    return name + rest.group() if rest else ""


def _describes(text: str, name: str, end: int) -> bool:
    """Whether what begins a sentence is an adjective before its noun: "Walne zgromadzenie" names no village."""
    following = WORD.match(text, end + 1) if text[end : end + 1] == " " else None
    if not following or not following.group().islower() or not name_words().is_adjective(name):
        return False
    return name_words().is_noun(following.group())


def _trimmed(name: str, *, first: bool) -> tuple[str, int]:
    """`name` without what only a capital made part of it, and how many characters were taken from its start."""
    words = name_words()
    offset = 0
    while match := WORD.match(name, offset):
        word = match.group()
        following = WORD.search(name, match.end())
        common = first and following and words.is_given_name(following.group()) and not words.is_given_name(word)
        wrong = first and not words.may_begin_a_name(word) and not word.isupper()
        if not (words.is_before_names(word) or common or wrong):
            break
        if not following:
            return "", 0
        offset, first = following.start(), False
    return name[offset:], offset


def _is_name(name: str, *, first: bool) -> bool:
    written = WORD.findall(name)
    if len(written) > _MAX_WORDS:
        return False
    if len(written) == 1:
        return _is_name_alone(written[0], first=first)
    if all(word.isupper() and len(word) > 1 for word in written):  # a heading in capitals: they say nothing there
        return len(written) <= 3 and name_words().is_given_name(written[0])
    return True


def _is_name_alone(word: str, *, first: bool) -> bool:
    if len(word) < 2 or _ROMAN.fullmatch(word):
        return False
    if word.isupper():
        return len(word) <= _MAX_ACRONYM and not name_words().is_common(word)
    return len(word) > 2 and (not first or (name_words().is_proper(word) and not name_words().is_common(word)))


def _begins_a_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 30) : start].rstrip(" \u00a0\t_\"„”«»'’([")
    if not before or before[-1] == "\n":
        return True
    return before[-1] in _BEFORE_A_SENTENCE and not ends_with_abbreviation(before)
