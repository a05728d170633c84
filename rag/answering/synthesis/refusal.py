"""The word by which a model says that the sources do not answer. It never reaches the reader."""

REFUSAL = "NIE_ZNALEZIONO"
_DECORATION = " \t\r\n*_`\"'„”“«»"


class RefusalFilter:
    """Takes the refusal out of a stream. `seen`: it was there; `refused`: the text began with it."""

    def __init__(self) -> None:
        self.seen = False
        self.refused = False
        self._held = ""
        self._begun = False

    def feed(self, piece: str) -> str:
        """The part of the text that is certainly not the refusal."""
        self._held += piece
        self._remove()
        certain = len(self._held) - _possible_beginning(self._held)
        return self._release(certain)

    def finish(self) -> str:
        """What was held back at the end."""
        self._begun = True
        return self._release(len(self._held))

    def _remove(self) -> None:
        before, found, after = self._held.partition(REFUSAL)
        if found:
            self.seen = True
            self.refused = self.refused or not (self._begun or before.strip(_DECORATION))
            self._held = before + after.replace(REFUSAL, "")

    def _release(self, length: int) -> str:
        released = self._held[:length]
        if self.refused or not (self._begun or released.strip(_DECORATION)):
            return ""
        self._begun = True
        self._held = self._held[length:]
        return released


def _possible_beginning(text: str) -> int:
    """How many characters at the end of `text` could be the beginning of the refusal."""
    lengths = range(min(len(REFUSAL) - 1, len(text)), 0, -1)
    return next((length for length in lengths if text.endswith(REFUSAL[:length])), 0)
