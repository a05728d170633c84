"""What a question wants to be told: a date, a number, a name; and whether a word or two would do."""

import re
from typing import Literal

from rag.answering.verification.sentence import Sentence

Wanted = Literal["date", "number", "name", ""]

_DATE = re.compile(
    r"\b(?:kiedy|(?:w|do|od|po) (?:którym|jakim|którego|jakiego|których|jakich) (?:rok\w*|dni\w*|miesi\w+|lat\w*)|"
    r"(?:jak\w+|któr\w+) (?:jest )?dat\w+|when|(?:what|which) (?:date|day|year))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\b(?:il[eu]|jak (?:długo|często|daleko|wysok\w+|duż\w+|dług\w+)|"
    r"jak\w+ (?:jest |są |wynosi )?(?:liczb\w+|kwot\w+|wysokoś\w+|stawk\w+|opłat\w+|limit\w*|termin\w*|numer\w*)|"
    r"how (?:many|much|long|often|far))\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:kto|kogo|komu|kim|gdzie|dokąd|skąd|who|whom|where|w (?:którym|jakim) (?:mieście|kraju|państwie))\b", re.I
)
_YES_OR_NO = re.compile(r"^\s*(?:czy|is|are|do|does|did|can|could|may|must|should|has|have|was|were)\b", re.IGNORECASE)
_BRIEFLY = re.compile(
    r"\b(?:jednym słowem|krótko|w skrócie|jednym zdaniem|tak lub nie|in (?:a|one) word|briefly|yes or no)\b", re.I
)


def wanted_by(question: str) -> Wanted:
    """The kind of thing asked for, "" where anything may be the answer."""
    if _DATE.search(question):
        return "date"
    if _NUMBER.search(question):
        return "number"
    return "name" if _NAME.search(question) else ""


def wants_few_words(question: str) -> bool:
    """Whether "Tak." or "14 dni" is a whole answer."""
    return bool(wanted_by(question) or _YES_OR_NO.search(question) or _BRIEFLY.search(question))


def gives(wanted: Wanted, sentence: Sentence, question: Sentence) -> bool:
    """Whether `sentence` has something of the kind that the question does not already say."""
    if wanted == "name":
        known = {key for name in question.names for key in name.key.split()} | question.lemmas
        return any(not set(name.key.split()) & known for name in sentence.names)
    said = [fact.value for fact in question.facts]
    fresh = [fact for fact in sentence.facts if fact.value not in said]
    if wanted == "date":
        return any(fact.dimension in ("date", "clock", "hours", "months", "working_days") for fact in fresh)
    return not wanted or any(fact.dimension != "identifier" for fact in fresh)
