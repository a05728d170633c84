"""Confidence in words, for readers: figures are for those who measure, in the admin and over the API."""

from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

SURE = 0.8
"""From here on eight answers in ten are right, as far as confidence is calibrated (docs/benchmarks.md)."""
PROBABLE = 0.5
"""From here on an answer is rather right than wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assurance:
    """What to call an answer's confidence, and what that means for its reader, in the reader's language."""

    level: Literal["sure", "probable", "check"]
    words: str
    meaning: str


def assurance(confidence: float) -> Assurance:
    """The one place that says from which `confidence`, in [0, 1], an answer is called what."""
    if confidence >= SURE:
        meaning = _("Of ten answers like this, about eight or more are right.")
        return Assurance(level="sure", words=_("sure answer"), meaning=meaning)
    if confidence >= PROBABLE:
        meaning = _("Of ten answers like this, about five to eight are right. For what matters, look into the source.")
        return Assurance(level="probable", words=_("probable answer"), meaning=meaning)
    meaning = _("Fewer than five of ten answers like this are right. Read the cited passage before you rely on it.")
    return Assurance(level="check", words=_("check in the source"), meaning=meaning)
