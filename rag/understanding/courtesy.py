"""Greetings, thanks and goodbyes, alone or in front of a question."""

import re
from typing import Literal

from ingestion.text.diacritics import fold

Courtesy = Literal["greeting", "thanks", "goodbye"]

_GREETINGS = re.compile(
    r"\b(?:dzien dobry|dobry wieczor|czesc|hej(?:ka)?|siem(?:a|ka|anko)|witam|witaj(?:cie)?|halo|hello|hi|hey"
    r"|good (?:morning|afternoon|evening|day))\b"
)
_THANKS = re.compile(
    r"\b(?:dziekuje(?:my)?|dziekuj|dzieki|thanks|thank you|thx|ok(?:ej|ay)?"
    r"|super|swietnie|jasne|rozumiem|great|got it)\b"
)
_GOODBYES = re.compile(
    r"\b(?:do widzenia|do zobaczenia|na razie|nara|pa|zegnam|zegnaj|dobranoc|milego (?:dnia|wieczoru|weekendu)"
    r"|pozdrawiam|(?:good)?bye|see you(?: later)?|good night|have a (?:nice|good) day)\b"
)
# What may stand beside a courtesy without asking anything.
_BESIDE = frozenset(
    """bardzo pieknie slicznie serdecznie za pomoc odpowiedz informacje wszystko to i a no ci panu pani panstwu
    wszystkim jeszcze raz dobrze jestes jest ktos tam co slychac u ciebie there everyone all very much so for
    the your help answer a lot thats that is it for now prosze wielkie""".split()
)
_OTHER_THAN_WORDS = re.compile(r"[^\w\s]+")

_IN_FRONT = re.compile(
    r"\s*(?:dzie[nń] dobry|dobry wiecz[oó]r|cze[sś][cć]|hej(?:ka)?|siem(?:a|ka)|witam|witaj(?:cie)?|halo|hello|hi|hey"
    r"|good (?:morning|afternoon|evening))"
    r"(?:\s+(?:pa[nń]stwu|wszystkim|there|everyone|serdecznie))?"
    r"(?P<break>\s*[,.!;:–-]+\s*|\s+(?=(?:ile|ilu|kto|kogo|co|czego|jak|jaki|jaka|jakie|jakich|kiedy|gdzie|czy"
    r"|dlaczego|po co|na|mam|chcia[lł]\w*|prosz[eę]|what|how|who|when|where|why|can|could|is|are|do|does)\b))",
    re.IGNORECASE,
)
_HAVING_A_QUESTION = re.compile(
    r"\s*(?:mam (?:takie |jedno |kr[oó]tkie |szybkie )*pytanie|(?:a |one |i have a |just a )?(?:quick )?question)"
    r"\s*[,.!;:–-]+\s*",
    re.IGNORECASE,
)


def courtesy(text: str) -> Courtesy | None:
    """The kind of a text that is nothing but courtesy; the last kind that it has: "Dzień dobry, dziękuję" thanks."""
    plain = " ".join(_OTHER_THAN_WORDS.sub(" ", re.sub(r"['’]", "", fold(text).lower())).split())
    kinds: tuple[tuple[Courtesy, re.Pattern[str]], ...] = (
        ("goodbye", _GOODBYES),
        ("thanks", _THANKS),
        ("greeting", _GREETINGS),
    )
    found = [kind for kind, pattern in kinds if pattern.search(plain)]
    rest = plain
    for _kind, pattern in kinds:
        rest = pattern.sub(" ", rest)
    return found[0] if found and _BESIDE.issuperset(rest.split()) else None


def without_greeting(question: str) -> str:
    """The question without "Dzień dobry, mam pytanie:" in front of it; as it is where nothing would be left."""
    greeting = _IN_FRONT.match(question)
    rest = question[greeting.end() :] if greeting else question
    having = _HAVING_A_QUESTION.match(rest)
    rest = (rest[having.end() :] if having else rest).strip()
    if rest == question.strip() or not any(map(str.isalnum, rest)):
        return question
    return rest[:1].upper() + rest[1:]
