"""The two things that a question compares, and the question asked of each."""

import re

from ingestion.text.diacritics import fold

_OTHER = r"(?P<other>[^?!.;,]{1,120}?)(?=\s+(?:pod (?:wzgledem|katem)|jesli chodzi|co do)\b|\s*[?!.;,]|\s*$)"
_WORD = r"(?:(?!czy\b)\w[\w-]*)"
# Of text without diacritics in lower case, as half of the questions are typed. What a thing is called is bounded, or a
# question of many an "a" would take minutes.
_COMPARED = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bczym\s+(?P<one>.{{1,120}}?)\s+rozni\w*\s+sie\s+od\s+{_OTHER}",
        rf"\b(?:czym\s+)?(?:sie\s+)?rozni\w*\s+(?:sie\s+)?(?P<one>.{{1,120}}?)\s+od\s+{_OTHER}",
        rf"\b(?:jak\w*\s+(?:jest\s+|sa\s+)?)?roznic\w*\s+(?:jest\s+|sa\s+)?(?:po)?miedzy\s+(?P<one>.{{1,120}}?)\s+a\s+{_OTHER}",
        rf"\bporowna\w*\s+(?P<one>.{{1,120}}?)\s+(?:i|oraz|z|ze|a|do)\s+{_OTHER}",
        rf"\b(?P<one>{_WORD}(?:\s+{_WORD})?)\s+(?:vs\.?|versus|kontra)\s+{_OTHER}",
        r"\b(?P<one>[^?!.;,]{1,60}?)\s+a\s+(?P<other>[^?!.;,]{1,60}?),?\s+(?:jak\w*|co za)\s+roznic\w*",
        rf"\b(?:lepsz\w*|szybciej|wolniej|taniej|drozej|wczesniej|pozniej|wiecej|mniej)\b[^?!.;]{{0,120}}?\b"
        rf"(?P<one>{_WORD})\s+czy\s+(?P<other>{_WORD})",
        rf"\A\W*(?P<one>{_WORD})\s+czy\s+(?P<other>{_WORD})",
        rf"\bdifferences?\s+between\s+(?P<one>.{{1,120}}?)\s+and\s+{_OTHER}",
        rf"\bhow\s+do(?:es)?\s+(?P<one>.{{1,120}}?)\s+differ\s+from\s+{_OTHER}",
        rf"\bcompare\s+(?P<one>.{{1,120}}?)\s+(?:and|with|to)\s+{_OTHER}",
    )
)
_CHOICE = re.compile(r"\bczy\b")  # "co trwa dłużej, A czy B" asks for the same of both


def compared_things(question: str) -> tuple[str, str] | None:
    """Both as they stand in `question`; None where it compares none, or does not name both."""
    found = _found(question)
    return (question[slice(*found.span("one"))], question[slice(*found.span("other"))]) if found else None


def question_of_each(question: str) -> tuple[str, ...]:
    """What is asked of either thing: the question without the other one. The question itself where it compares none."""
    found = _found(question)
    if found is None:
        return (question,)
    things = [found.span("one"), found.span("other")]
    before, after = question[: found.start()], question[found.end() :]
    between = question[found.start() : things[0][0]] if _CHOICE.search(found.group()) else ""
    return tuple(f"{before}{between}{question[slice(*thing)]}{after}".strip() for thing in things)


def _found(question: str) -> re.Match[str] | None:
    plain = fold(question).lower()
    if len(plain) != len(question):  # a letter that is two in lower case: the places would be others
        return None
    return next((match for pattern in _COMPARED if (match := pattern.search(plain))), None)
