"""The text of a streamed answer. What was sent cannot be taken back: a better draft follows it, after a line."""

_LINE = "\n\n---\n\n"


class SaidText:
    """`whole` has been sent; the draft that counts begins at `start`. Each method gives the piece to send next."""

    def __init__(self) -> None:
        self.whole = ""
        self.start = 0

    def add(self, text: str) -> str:
        self.whole += text
        return text

    def begin_anew(self) -> str:
        """The line between drafts; nothing where nothing was said yet."""
        if len(self.whole) == self.start:
            return ""
        line = self.add(_LINE)
        self.start = len(self.whole)
        return line

    def finish(self, text: str) -> str:
        """What is missing of the final `text`, or all of it where something else was said."""
        line = "" if text.startswith(self.whole[self.start :]) else self.begin_anew()
        return line + self.add(text[len(self.whole) - self.start :])
