"""Sentence boundaries in Polish text and Markdown, by rules: abbreviations, initials, list items, table rows."""

import re

from ingestion.text.calendar import GERMAN_MONTHS

# After these a full stop does not end a sentence, whatever follows.
_ABBREVIATIONS = frozenset(
    "abp adm al ang art bp bł cd co cyt cz dn dr ds dyr dz ewent fr gen godz hab im in inż itp jw kard kier kpt "
    "ks lek lic lit m.in max mec mgr min mjr n.e nast niem np nr o o.o obj odc ok os p par pkt pl poch pok pol "
    "por pot poz prof przew przyp pseud późn płk red reż rozdz s sp str sygn tab tel tj tys tzn tzw tłum ub ul "
    "ust vol w wg woj ww wyd z zarz zast zał zb zm zob zw łac śp św".split()
)
# After these it ends one only if the next word is capitalised: they stand in the middle and at the end alike.
_AMBIGUOUS = frozenset("r br itp itd etc zł gr tys mln mld in ha km m cm kg szt proc s.a k.k k.c k.p k.p.a".split())

_END = re.compile(r"[.!?…]+[\"”»’)\]]*(?=\s|$)")
_LAST_WORD = re.compile(r"([^\W_]+(?:\.[^\W_]+)*)$")
_NEW_BLOCK = re.compile(
    r"\s*(?:#{1,6}\s|[-*•–—]\s|\d{1,3}[.)]\s|[a-ząćęłńóśźż]\)\s|\||```|>"  # Markdown and Polish lists
    r"|\"[^\"\n]*\":\s|[][{}]+,?\s*$)"  # the lines of a JSON document
)
_GERMAN_DAY = re.compile(rf"(?:{'|'.join(GERMAN_MONTHS)}|tag)\b", re.IGNORECASE)  # "31. Januar", "10. Tag"
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t>]*(?:§|art\.|Art\.)?[ \t]*\d{1,4}[a-z]?$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Character ranges [start, end) of the sentences of `text`, in order, without surrounding white space.

    A heading, a list item and a table row each are a sentence of their own. Everything but white space is covered.
    """
    spans: list[tuple[int, int]] = []
    for block_start, block_end in _blocks(text):
        start = block_start
        for match in _END.finditer(text, block_start, block_end):
            if match.end() < block_end and _ends_sentence(text, match, block_start, block_end):
                _append(text, spans, start, match.end())
                start = match.end()
        _append(text, spans, start, block_end)
    return spans


def ends_with_abbreviation(text: str) -> bool:
    """Whether the full stop at the end of `text` is one of "ul." or of an initial, and ends no sentence."""
    word = _LAST_WORD.search(text[:-1]) if text.endswith(".") else None
    last = word.group(1) if word else ""
    return last.lower() in _ABBREVIATIONS or (len(last) == 1 and last.isupper())


def _blocks(text: str) -> list[tuple[int, int]]:
    """Runs of lines that one sentence may cross: broken at blank lines, headings, list items and table rows."""
    blocks: list[tuple[int, int]] = []
    start = position = 0
    previous_closes = False
    for line in text.splitlines(keepends=True):
        blank = not line.strip()
        if blank or previous_closes or _NEW_BLOCK.match(line):
            blocks.append((start, position))
            start = position
        previous_closes = line.lstrip().startswith(("#", "|", "```"))
        position += len(line)
    blocks.append((start, position))
    return [(a, b) for a, b in blocks if b > a]


def _ends_sentence(text: str, match: re.Match[str], start: int, end: int) -> bool:
    following = text[match.end() : min(end, match.end() + 40)].lstrip(' \t\n"„”«»([*_–—-')
    if not following:
        return True
    starts_new = following[0].isupper() or following[0].isdigit() or following[0] == "§"
    if match.group()[0] != "." or match.group().startswith(".."):
        return starts_new
    before = text[max(start, match.start() - 30) : match.start()]
    word = _LAST_WORD.search(before)
    if word is None:
        return starts_new
    last = word.group(1)
    if last.lower() in _AMBIGUOUS:
        return following[0].isupper()
    if last.lower() in _ABBREVIATIONS or (len(last) == 1 and last.isupper()):
        return False
    if last.isdigit() and len(last) < 3 and _GERMAN_DAY.match(following):
        return False
    if last.isdigit() and _LIST_NUMBER.search(text[max(0, start - 1) : match.start()]):
        return False
    return starts_new


def _append(text: str, spans: list[tuple[int, int]], start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        offset = start + len(piece) - len(piece.lstrip())
        spans.append((offset, offset + len(stripped)))
