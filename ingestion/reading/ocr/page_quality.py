"""How far the text of a page can be trusted: by its words, not by what a program says of itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.reading.dictionary import is_polish_word, is_word

_WORD = re.compile(r"[^\W\d_]{3,}")  # shorter ones are words by chance
_POLISH = re.compile("[ąćęłńóśźżĄĆĘŁŃÓŚŹŻ]")
_SAMPLE = 200
MIN_WORDS = 10
"""Of fewer words nothing can be said."""

GARBAGE_BELOW = 0.25
"""Share of words that a text layer with wrong letters does not reach: text in Polish has 0.9, in German 0.3."""

POOR_BELOW = 0.75
"""Share of words below which a recognised page is reported. Measured by benchmarks/ocr_quality.py on printed letters
with noise: pages with a share of 0.84 and more have at least 94 % of their letters right, those with 0.70 have 90 %,
those with 0.67 and less at most 60 %.
"""


_POOR_FEW = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuality:
    """The share `known` of the `words` of a page (of three letters and more) is in a dictionary, 0 to 1; `polish` is
    the share of ą, ć, ę ... among its letters (about 0.07 in Polish prose).
    """

    words: int
    known: float
    polish: float

    @property
    def is_garbage(self) -> bool:
        return self.words >= MIN_WORDS and self.known < GARBAGE_BELOW

    @property
    def is_poor(self) -> bool:
        """Whether the page is poor; of a few words more may be names."""
        return self.words > 0 and self.known < (POOR_BELOW if self.words >= MIN_WORDS else _POOR_FEW)


def page_quality(text: str, *, enough: float = POOR_BELOW) -> PageQuality:
    """Judged by some two hundred words, evenly spread. A share of `enough` is not asked about more exactly."""
    words = _WORD.findall(text)
    letters = sum(map(len, words))
    return PageQuality(
        words=len(words),
        known=_share_known(words[:: max(1, len(words) // _SAMPLE)], enough),
        polish=len(_POLISH.findall(text)) / max(letters, 1),
    )


def _share_known(words: Sequence[str], enough: float) -> float:
    """By the quick dictionary; only where that finds too few, by all of them (English, names)."""
    if not words:
        return 0.0
    quick = sum(map(is_polish_word, words)) / len(words)
    return quick if quick >= enough else sum(map(is_word, words)) / len(words)
