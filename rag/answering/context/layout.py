"""Where a piece of a document may begin and end, so that it is understood alone."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ingestion.text.markdown.blocks import Block, BlockReader

Span = tuple[int, int]

LONGEST_BLOCK = 6_000
"""Characters of a table or a paragraph that stays whole; a longer one is read in parts."""
PART = 1_200
"""Characters of such a part at most: whole lines or, where a line is longer, whole words."""
AROUND = 2_400
"""Characters read around a passage whose section is too long to be read whole."""

_CAPTION = 100  # characters of a line that says what the table below it is
_DELIMITERS = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$", re.M)
# A text that ends so goes on in the next block: a list follows its colon, a PDF breaks a sentence at the page.
_GOES_ON = re.compile(
    r"(?:[:,;§–-]|(?<!\w)(?:art|ust|pkt|lit|nr|poz|np|tj|tzn|tzw|m\.in|ul|dot|ok|str|zob|por|godz)\.|\d r\."
    r"|[a-ząćęłńóśźż])\Z"
)
_LINK = re.compile(r"!?\[[^\]\n]*\]\([^)\n]*\)")
_BESIDE_A_LINK = 10  # letters: "(artykuł)", a bullet
_CONTINUES = re.compile(r"[a-ząćęłńóśźż]")


@dataclass(frozen=True)
class Layout:
    """A run of a document's text in its blocks; all spans count from the start of `text`."""

    text: str

    def spans(self, start: int, end: int) -> list[Span]:
        """What may be read for characters [start, end), the shortest first: their own blocks, what stands around them
        in their section, the sections they are in, everything. Each holds [start, end).
        """
        if not self._blocks:
            return [(start, end)]
        first, last = self._complete(*self._touched(start, end))
        sections = [self._span(*section) for section in self._sections(first, last)]
        everything = self._span(0, len(self._blocks) - 1)
        around = self._around(first, last, within=(sections or [everything])[0])
        spans = [self._span(first, last), around, *sections, everything]
        return list(dict.fromkeys((min(start, one), max(end, other)) for one, other in spans))

    def beginning(self, length: int) -> int:
        """Where the text may stop in its first `length` characters: after a block that needs no other; else 0."""
        blocks = self._blocks
        ends = [
            block.end
            for number, block in enumerate(blocks)
            if block.end <= length and not (number + 1 < len(blocks) and self._belongs(number, number + 1))
        ]
        return max(ends, default=0)

    def headings(self, position: int) -> tuple[str, ...]:
        """The titles above the character `position`, outermost first, with the one that begins there."""
        path: list[Block] = []
        for block in self._blocks:
            if block.start > position:
                break
            if block.kind == "heading":
                path = [*(above for above in path if above.level < block.level), block]
        return tuple(block.title for block in path if block.title)

    def columns(self, position: int) -> str:
        """The header of the table in whose rows `position` is, with the line below it; else ""."""
        table = self._around_position(position)
        delimiters = _DELIMITERS.search(self.text, table.start, table.end) if table else None
        if table is None or table.kind != "table" or delimiters is None or position <= delimiters.end():
            return ""
        return self.text[table.start : delimiters.end()].strip()

    def fence(self, position: int) -> str:
        """The line that opens the code block inside of which `position` is; else ""."""
        block = self._around_position(position)
        return self.text[block.start : block.end].partition("\n")[0].strip() if block and block.kind == "code" else ""

    @cached_property
    def _whole(self) -> Sequence[Block]:
        return BlockReader().read(self.text)

    @cached_property
    def _starts(self) -> frozenset[int]:
        return frozenset(block.start for block in self._whole)

    @cached_property
    def _blocks(self) -> Sequence[Block]:
        return [part for block in self._whole for part in _parts(self.text, block)]

    def _around_position(self, position: int) -> Block | None:
        return next((block for block in self._whole if block.start < position < block.end), None)

    def _touched(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last block that have a character of [start, end)."""
        touched = [n for n, block in enumerate(self._blocks) if block.start < end and start < block.end]
        return (touched[0], touched[-1]) if touched else (0, len(self._blocks) - 1)

    def _complete(self, first: int, last: int) -> tuple[int, int]:
        """With the blocks that lead to the first one, such as its heading, and those without which the last is cut."""
        while first and self._belongs(first - 1, first) and self._is_short(first - 1, last):
            first -= 1
        while last + 1 < len(self._blocks) and self._belongs(last, last + 1) and self._is_short(first, last + 1):
            last += 1
        return first, last

    def _is_short(self, first: int, last: int) -> bool:
        return self._blocks[last].end - self._blocks[first].start <= LONGEST_BLOCK

    def _belongs(self, before: int, after: int) -> bool:
        """Whether of two adjacent blocks neither can be read without the other."""
        one, other = self._blocks[before], self._blocks[after]
        if other.start not in self._starts:  # a part of one that is too long to be read whole
            return False
        if one.kind == "heading":
            return True
        if other.kind == "heading" or one.kind == "code":
            return False
        if one.kind == "table":
            return self._is_bare_header(one)
        if other.kind == "table" and one.kind == "text" and self._is_caption(one):
            return True
        if other.kind == "text" and _CONTINUES.match(self.text, other.start):
            return True
        ending = self.text[max(one.start, one.end - 20) : one.end]
        return ending.endswith(":") or (one.kind == "text" and bool(_GOES_ON.search(ending)))

    def _is_bare_header(self, table: Block) -> bool:
        """Spreadsheets have tables whose rows stand below a line of their own."""
        delimiters = _DELIMITERS.search(self.text, table.start, table.end)
        return delimiters is not None and not self.text[delimiters.end() : table.end].strip()

    def _is_caption(self, block: Block) -> bool:
        text = self.text[block.start : block.end]
        return len(text) <= _CAPTION and "\n" not in text and not text.endswith((".", "!", "?"))

    def _sections(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Blocks of the sections that hold blocks [first, last], the innermost first."""
        for top in range(first, -1, -1):
            if self._blocks[top].kind == "heading" and (end := self._section_end(top)) >= last:
                yield top, end

    def _section_end(self, top: int) -> int:
        level = self._blocks[top].level
        following = (n for n in range(top + 1, len(self._blocks)) if 0 < self._blocks[n].level <= level)
        return next(following, len(self._blocks)) - 1

    def _around(self, first: int, last: int, *, within: Span) -> Span:
        """Blocks after and before [first, last] in turn, as long as they have no more than AROUND together."""
        sides = [(0, 1), (1, 0)]
        while sides:
            before, after = sides.pop(0)
            wider = self._complete(max(first - before, 0), min(last + after, len(self._blocks) - 1))
            start, end = self._span(*wider)
            if wider != (first, last) and end - start <= AROUND and within[0] <= start and end <= within[1]:
                first, last = wider
                sides.append((before, after))
        return self._span(first, last)

    def _span(self, first: int, last: int) -> Span:
        """From block `first` to block `last`, without what says nothing at its end: headings that have no text, links
        to other documents.
        """
        while last > first and self._says_nothing(self._blocks[last]):
            last -= 1
        return self._blocks[first].start, self._blocks[last].end

    def _says_nothing(self, block: Block) -> bool:
        if block.kind in ("table", "code"):
            return False
        text, links = _LINK.subn("", self.text[block.start : block.end])
        return block.kind == "heading" or (links > 0 and len(re.findall(r"\w", text)) <= _BESIDE_A_LINK * links)


def _parts(text: str, block: Block) -> Iterator[Block]:
    """The block, or pieces of one that is too long to be read whole, cut at line ends or else at spaces.

    The header of a table stays with its first rows.
    """
    if block.end - block.start <= LONGEST_BLOCK:
        yield block
        return
    delimiters = _DELIMITERS.search(text, block.start, block.end) if block.kind == "table" else None
    start, shortest = block.start, (delimiters.end() - block.start if delimiters else 0) + 1
    while block.end - start > shortest + PART:
        end = _cut_before(text, start + shortest, start + shortest + PART)
        yield replace(block, start=start, end=end)
        start, shortest = end + text[end].isspace(), 1
    yield replace(block, start=start)


def _cut_before(text: str, start: int, end: int) -> int:
    """The end of the last line, or else of the last word, of text[start:end]; `end` where it has neither."""
    return next((cut for cut in (text.rfind("\n", start, end), text.rfind(" ", start, end)) if cut > start), end)
