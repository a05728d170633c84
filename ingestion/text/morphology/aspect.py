"""The other aspect of a verb: "upoważniać" of "upoważnić", "zgłosić" of "zgłaszać"."""

import re
from functools import lru_cache

from ingestion.text.names.name_words import name_words

# Of the imperfective and the perfective; what SGJP does not have with the other aspect is no pair.
_ENDINGS = (
    ("iać", "ić"), ("ać", "ić"), ("ać", "yć"), ("szać", "sić"), ("żać", "zić"), ("żać", "dzić"), ("czać", "cić"),
    ("awać", "ać"), ("ywać", "ać"), ("iwać", "ać"),
)  # fmt: skip
_VOWEL = re.compile(r"(?P<vowel>[aoó])(?P<after>[^aeiouyąęó]*)\Z")


@lru_cache(maxsize=20_000)
def aspect_partner(verb: str) -> str:
    """The lemma of `verb`'s other aspect, "" where endings do not tell it; prefixes are not looked at."""
    if not verb.endswith("ć") or not (aspects := _aspects(verb)):
        return ""
    wanted = {"imperf", "perf"} - aspects
    candidates = (one for one in _candidates(verb) if one != verb and wanted & _aspects(one))
    return next(candidates, "") if wanted else ""


def _candidates(verb: str) -> list[str]:
    pairs = [*_ENDINGS, *((perfective, imperfective) for imperfective, perfective in _ENDINGS)]
    found = []
    for ending, other in pairs:
        if verb.endswith(ending):
            stem = verb.removesuffix(ending)
            found += [stem + other, *(changed + other for changed in _changed(stem))]
    return found


def _changed(stem: str) -> list[str]:
    """With the last vowel of the other aspect: "zgłasz" and "zgłos"."""
    last = _VOWEL.search(stem)
    if last is None:
        return []
    others = "oó" if last["vowel"] == "a" else "a"
    return [stem[: last.start()] + vowel + last["after"] for vowel in others]


def _aspects(verb: str) -> set[str]:
    tags = (tag.split(":") for base, tag, _ in name_words().readings(verb) if base == verb)
    return {aspect for tag in tags if tag[0] == "inf" for aspect in tag[1].split(".")}
