"""Markdown of a model, cut into tokens while it arrives: code, brackets, links and the text between.

The tokens of a text do not depend on the pieces it came in: whatever a later character could turn into
something else is held back until that is decided, at the latest at the end of its line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["text", "code", "bracket", "link", "mark"]

FIRST_MARK, MARK_COUNT = 0xE000, 0x1000
MARKS = f"{chr(FIRST_MARK)}-{chr(FIRST_MARK + MARK_COUNT - 1)}"
"""A character of this range (of a pattern) stands where a citation goes; the model's own are taken out before."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[^`\n]*\n")
_FENCE_BEGUN = re.compile(r"[ \t]*(?:`{1,2}|`{3,}[^`\n]*|~{1,2}|~{3,}[^`\n]*)\Z")
_CODE = re.compile(r"(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_CODE_BEGUN = re.compile(r"`[^\n]*\Z")
_BRACKET = re.compile(r"([ \t]*)\[([^\[\]\n]*)\]")
_LINK = re.compile(
    r"([ \t]*)!?\[([^\[\]\n]*)\]"
    r"\([ \t]*[^\s()]*(?:[ \t]+(?:\"[^\"\n()]*\"|'[^'\n()]*'))?[ \t]*\)"
)
_BRACKET_BEGUN = re.compile(r"[ \t]*!?(?:\[[^\[\]\n]*(?:\](?:\([^()\n]*)?)?)?\Z")
_ADDRESS = re.compile(r"<([A-Za-z][\w+.\-]*:[^\s<>\[\]]*|[^\s<>@\[\]]+@[^\s<>\[\]]+)>|<(?=[A-Za-z][\w+.\-]*:)")
_ADDRESS_BEGUN = re.compile(r"<[^\s<>]*\Z")
_TEXT = re.compile(rf"[ \t]+|`+|[^\[\]`!<\s{MARKS}]+|.", re.DOTALL)
_MARK = re.compile(f"[{MARKS}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkupToken:
    """`text` is what stands there; a bracket or link also has its `label` and the white space `before`.

    A mark inside code, a bracket or a link comes after it, one inside fenced code after the fence.
    """

    kind: Kind
    text: str
    label: str = ""
    before: str = ""


class MarkupScanner:
    """Feed pieces, take tokens; call `finish` after the last piece."""

    def __init__(self) -> None:
        self._held = ""
        self._fence = ""
        self._at_line_start = True
        self._marks = ""

    def feed(self, piece: str) -> Iterator[MarkupToken]:
        """The tokens that are decided once `piece` is known."""
        self._held += piece
        yield from self._scan(last=False)

    def finish(self) -> Iterator[MarkupToken]:
        """The tokens held back so far."""
        yield from self._scan(last=True)

    def _scan(self, *, last: bool) -> Iterator[MarkupToken]:
        position = 0
        while position < len(self._held):
            token, end = self._next(position, last=last)
            if token is None:
                break
            yield from self._apart(token)
            position = end
        self._held = self._held[position:]
        if last:
            yield from self._postponed()

    def _apart(self, token: MarkupToken) -> Iterator[MarkupToken]:
        """The token without the marks in it, and these."""
        self._marks += "".join(_MARK.findall(token.text))
        text, label = _MARK.sub("", token.text), _MARK.sub("", token.label)
        if text:
            yield replace(token, text=text, label=label)
        if self._fence:
            return
        after_a_fence = bool(self._marks) and text.endswith("\n")
        yield from self._postponed()
        if after_a_fence:
            yield MarkupToken(kind="text", text="\n")

    def _postponed(self) -> Iterator[MarkupToken]:
        marks, self._marks = self._marks, ""
        yield from (MarkupToken(kind="mark", text=mark) for mark in marks)

    def _next(self, position: int, *, last: bool) -> tuple[MarkupToken | None, int]:
        """The token at `position` and where it ends; None: wait for more."""
        if self._fence:
            return self._fenced_line(position, last=last)
        if self._at_line_start:
            if fence := _FENCE.match(self._held, position):
                self._fence = fence.group(1)
                return MarkupToken(kind="code", text=fence.group()), fence.end()
            if not last and _FENCE_BEGUN.match(self._held, position):
                return None, position
        if not last and self._undecided(position):
            return None, position
        return self._inline(position)

    def _undecided(self, position: int) -> bool:
        """Whether a later character of this line could change what begins at `position`."""
        if _CODE_BEGUN.match(self._held, position):
            code = _CODE.match(self._held, position)
            return code is None or code.end() == len(self._held)  # one more backtick would reopen it
        begun = (_BRACKET_BEGUN, _ADDRESS_BEGUN)
        return any(pattern.match(self._held, position) for pattern in begun)

    def _fenced_line(self, position: int, *, last: bool) -> tuple[MarkupToken | None, int]:
        newline = self._held.find("\n", position)
        if newline < 0 and not last:
            return None, position
        end = newline + 1 or len(self._held)
        line = self._held[position:end]
        if (bare := _MARK.sub("", line)).strip().startswith(self._fence) and not bare.strip().strip(self._fence[0]):
            self._fence = ""
        return MarkupToken(kind="code", text=line), end

    def _inline(self, position: int) -> tuple[MarkupToken, int]:
        self._at_line_start = False
        if code := _CODE.match(self._held, position):
            return MarkupToken(kind="code", text=code.group()), code.end()
        if link := _LINK.match(self._held, position):
            return _labelled("link", link), link.end()
        if bracket := _BRACKET.match(self._held, position):
            return _labelled("bracket", bracket), bracket.end()
        if address := _ADDRESS.match(self._held, position):
            return MarkupToken(kind="text", text=address.group(1) or ""), address.end()
        text = _TEXT.match(self._held, position)
        assert text is not None  # noqa: S101 - its last alternative matches any character
        self._at_line_start = text.group() == "\n"
        return MarkupToken(kind="text", text=text.group()), text.end()


def _labelled(kind: Kind, match: re.Match[str]) -> MarkupToken:
    return MarkupToken(kind=kind, text=match.group(), before=match.group(1), label=match.group(2))
