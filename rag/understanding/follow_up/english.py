"""Follow-ups in English, by words alone: there is no grammar of it here, so the last question is kept whole."""

import re

from ingestion.text.morphology.stop_words import ENGLISH
from rag.understanding.follow_up.detection import Lean
from rag.understanding.follow_up.topic import SEPARATOR, joined

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_OPENING = re.compile(r"^(?:(?:and|but|so|or|ok|okay|then|also)\b[\s,]*)+", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:what|how) about\s+", re.IGNORECASE)
_ASKING = frozenset("what which who whom whose when where why how".split())
_AUXILIARY = frozenset(
    "is are was were be been do does did has have had can could may might must shall should will would".split()
)
_PREPOSITIONS = frozenset("for in on at after before with without from during within under by to of".split())
_PRONOUNS = frozenset("it its they them their theirs he she him her his hers one ones".split())
_POINTING = frozenset("this these those".split())
_TIMES = frozenset("year month week day morning evening time".split())
_CONDITIONS = frozenset({"if", "unless"})
# Words that any question may have: alone they do not say what it is about.
_UNSPECIFIC = frozenset(
    """cost costs price fee fees deadline exception exceptions example examples requirement requirements document
    documents long much many often soon late early take takes need needed happen happens next else more other others
    detail details reason reasons rule rules step steps limit limits amount number date day days week weeks month months
    year years hour hours pay pays paid sign signs approve approves approved work works valid mandatory required
    possible necessary case cases second first third exactly please give explain again apply applies start starts end
    ends get gets mean means know tell""".split()
)
_SELF_CONTAINED = 3  # topical words before a pronoun: enough for it to mean one of them
_LONGEST_FRAGMENT = 5  # words


def lean_of(text: str) -> Lean | None:
    """None where `text` stands alone."""
    question = text.strip().rstrip(" ?!.")
    opened = _OPENING.sub("", question)
    core = _ABOUT.sub("", opened)
    words = [word.lower() for word in _WORD.findall(core)]
    if not words:
        return None
    if words[0] in _CONDITIONS and len(words) <= _LONGEST_FRAGMENT * 2 and "," not in core:
        return Lean(leaning="condition", core=core)
    if _is_fragment(words, opened=core != question, about=core != opened):
        return Lean(leaning="fragment", core=core)
    if pronoun := next((word for place, word in enumerate(words) if _refers_back(words, place)), ""):
        return Lean(leaning="pronoun", core=core, word=pronoun)
    return None if any(map(_is_topical, words)) else Lean(leaning="topicless", core=core)


def worded(lean: Lean, before: str) -> str:
    """The question as it stands alone after `before`."""
    bare = before.rstrip(" ?!.")
    if lean.leaning == "condition":
        return f"{bare}, {lean.core}?"
    if lean.leaning != "fragment":
        return joined(before, f"{lean.core}?")
    preposition = lean.core.split()[0].lower()
    if preposition not in _PREPOSITIONS:
        return f"{lean.core[:1].upper()}{lean.core[1:]}{SEPARATOR}{bare[:1].lower()}{bare[1:]}?"
    return f"{_without_phrase(preposition, bare)} {lean.core}?"


def _without_phrase(preposition: str, bare: str) -> str:
    """The last question without its last phrase of this preposition, which the new one replaces."""
    ends = "|".join(_PREPOSITIONS | _CONDITIONS)
    phrases = list(re.finditer(rf"\s{preposition}\s(?:(?!\b(?:{ends})\b).)+", bare, re.IGNORECASE))
    return bare if not phrases else (bare[: phrases[-1].start()] + " " + bare[phrases[-1].end() :]).strip()


def _is_fragment(words: list[str], *, opened: bool, about: bool) -> bool:
    sentence = any(word in _ASKING or word in _AUXILIARY for word in words)
    short = len(words) <= _LONGEST_FRAGMENT
    return about or (not sentence and short and (opened or words[0] in _PREPOSITIONS))


def _refers_back(words: list[str], place: int) -> bool:
    if sum(map(_is_topical, words[:place])) >= _SELF_CONTAINED:
        return False
    word, following = words[place], words[place + 1] if place + 1 < len(words) else ""
    if word in _PRONOUNS:
        return not (
            word == "it" and following in ("possible", "true", "necessary", "allowed") and len(words) > place + 3
        )
    if word in _POINTING:
        return following not in _TIMES
    if word == "that":
        return not following or (place > 0 and words[place - 1] in _AUXILIARY)
    if word in ("there", "then"):
        return not following and not set(words[:place]) & {"is", "are"}
    return False


def _is_topical(word: str) -> bool:
    return word not in ENGLISH and word not in _UNSPECIFIC and word not in _AUXILIARY and not word.isdigit()
