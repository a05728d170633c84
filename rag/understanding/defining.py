"""What "co to jest PSZOK" asks about, and how well a sentence, an item or a row says what that is."""

import re
from functools import lru_cache

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.morphology.stop_words import FOLDED_STOP_WORDS

_ASKS = re.compile(
    r"(?:^|[.!?]\s+)\W*(?:a |no )?(?:(?:czym|what) (?:jest|sa|is|are)\b|co (?:to )?(?:oznacza\w*|znaczy)\b|co to\b"
    r"|definicja\b|na czym polega\w*\b|what does\b)(?: (?:to|jest|sa|za|w ogole|wlasciwie|znaczy|ten|ta|te)\b)*\s+"
    r"(?P<after>(?!(?:jest|sa|znaczy|oznacza|ma|da|daje|bedzie)\b)[^?.!,;]+)"
    r"|^(?P<before>[^?.!;]+?),? co (?:to|oznacza|znaczy)(?: jest| za| sa| znaczy| oznacza)?\W*$"
)
_NO_TOPIC = FOLDED_STOP_WORDS | frozenset("okreslenie pojecie termin slowo skrot".split())
_MOST_WORDS = 4
_HEAD = 200  # characters in which a definition names its thing
_SAYS_WHAT = re.compile(
    r"(?<!\bnie)\s(?:to|jest|są|oznacza\w*|stanowi\w*|nazywa\w*|polega\w*|(?:rozumie|uważa) się|czyli|is|are|means)\s"
)
_HOW_IT_IS = re.compile(r"\w{3,}(?:an|on|t|n)[yae]\b")  # "jest wydawany", "jest czynny"
_STANDS_FOR = re.compile(r"\s[–—-]\s|:\s")
_SO_CALLED = re.compile(r"\b(?:tzw\.|tak zwan\w+|zwan\w+ dalej|nazywa\w* się|so-called|called)\s")
_SHORT_FORM = r"[A-ZĄĆĘŁŃÓŚŹŻ][\w-]{1,9}"
_LONG_FORM = re.compile(
    rf"(?:[^\W\d_][\w.-]*[ -]){{2,8}}\((?P<short>{_SHORT_FORM})\)|(?P<first>{_SHORT_FORM}) \([^()]{{8,90}}\)"
)
_MARKS = re.compile(r"[*`„”\"_]+")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_EXTRA_WORDS = 3
_FEW_WORDS = 2  # do not say what a thing is
_NEAR = 60  # characters behind "tzw."
_IN_A_LIST, _BY_THE_WAY = 0.9, 0.6


def thing_to_define(question: str) -> frozenset[str]:
    """The lemmas of what the question wants told what it is; none where it asks for something else."""
    return _thing(" ".join(fold(question).lower().split()), question)


@lru_cache(maxsize=64)
def _thing(folded: str, question: str) -> frozenset[str]:
    match = _ASKS.search(folded)
    if not match:
        return frozenset()
    asked = (match["after"] or match["before"]).strip()
    typed = {fold(word).lower(): word for word in re.findall(r"[\w-]+", question)}
    words = [typed.get(word, word) for word in re.findall(r"[\w-]+", asked) if word not in _NO_TOPIC]
    if not 0 < len(words) <= _MOST_WORDS:
        return frozenset()
    return frozenset(_lemmas(" ".join(words)))


def defines(text: str, thing: frozenset[str]) -> float:
    """In [0, 1]: 1 where it begins with `thing` and says what it is, less where it does so by the way.

    `text` is a sentence, an item or a row of Markdown.
    """
    plain = _MARKS.sub("", text)
    if not thing or not thing <= _lemmas(plain):
        return 0.0
    if plain.startswith("|"):
        cells = [cell.strip() for cell in plain.strip("|").split("|")]
        return 1.0 if len(cells) > 1 and _names(cells[0], thing) and len(cells[1].split()) > _FEW_WORDS else 0.0
    head = plain[:_HEAD]
    said = [match for match in _SAYS_WHAT.finditer(head) if _names(head[: match.start()], thing)]
    if said:
        return 1.0 if any(not _HOW_IT_IS.match(head, match.end()) for match in said) else _BY_THE_WAY
    if (sign := _STANDS_FOR.search(head)) and thing == _lemmas(head[: sign.start()]):
        return _IN_A_LIST if len(head[sign.end() :].split()) > _FEW_WORDS else 0.0
    if any(thing <= _lemmas(head[match.end() :][:_NEAR]) for match in _SO_CALLED.finditer(head)):
        return _BY_THE_WAY
    return _BY_THE_WAY if any(_is_long_form(match, thing) for match in _LONG_FORM.finditer(plain)) else 0.0


def _names(words: str, thing: frozenset[str]) -> bool:
    """Whether it is the thing and hardly anything else; what stands in brackets is not counted."""
    if thing <= (own := _lemmas(_IN_BRACKETS.sub(" ", words))):
        return len(own) <= len(thing) + _EXTRA_WORDS
    return thing <= _lemmas(words)


def _is_long_form(match: re.Match[str], thing: frozenset[str]) -> bool:
    """ "Urzędowe Poświadczenie Odbioru (UPO)", whatever its first letters: they may be those of another language."""
    return thing == _lemmas(match["short"] or match["first"])


def _lemmas(text: str) -> set[str]:
    return {lemma for form, lemma in analyser().words(text) if fold(form) not in FOLDED_STOP_WORDS}
