"""Guesses at what was meant by a word. Each asks the dictionary, so one question may have only so many."""

from collections.abc import Iterable
from itertools import islice

from ingestion.text.morphology.lemmas import Lemmatiser
from knowledgetree.long_work import end_with_client, in_turn

MOST = 3_000  # 30 microseconds each
_AT_ONCE = 250
_FREE = 700  # the guesses at one or two words of usual length, which nobody notices


class Guesses:
    """Looks up at most `MOST` spellings in all; `left` says how many more. Beyond the first few it waits its turn."""

    def __init__(self, lemmatiser: Lemmatiser) -> None:
        self._lemmatiser = lemmatiser
        self.left = MOST

    def known(self, spellings: Iterable[str]) -> list[str]:
        """Those of `spellings` that the dictionary has, as far as they may be looked up. Raises ClientGone."""
        allowed = iter(spellings)
        known: list[str] = []
        while some := list(islice(allowed, min(_AT_ONCE, self.left))):
            self.left -= len(some)
            if MOST - self.left <= _FREE:
                known += self._looked_up(some)
            else:
                with in_turn():
                    known += self._looked_up(some)
        return known

    def _looked_up(self, spellings: Iterable[str]) -> list[str]:
        end_with_client()
        return [spelling for spelling in spellings if self._lemmatiser.in_dictionary(spelling)]
