"""The packs of everyday Polish, one file a domain: what people say, and what documents say for it.

    # Kadry, praca i płace
    wziąć wolne; dzień wolnego > urlop wypoczynkowy
    POZ = podstawowa opieka zdrowotna
    zamek [drzwi, klucz] > zamknięcie

A line is a group: `>` leads from everyday words to those of documents, `=` both ways; words stand in their dictionary
form. In brackets stand words of which a question must have one, where a word means several things. The first comment is
the title.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.utils.translation import gettext as _

from ingestion.errors import IngestionError

SHIPPED = Path(__file__).with_name("pl")

_LINE = re.compile(r"([^=>]+)\s([=>])\s([^=>]+)")
_TERM = re.compile(r"([^\[\]]+?)\s*(?:\[([^\[\]]+)\])?")
_KEYS = "2"  # another number loads all packs anew: their keys or weights are others


class MalformedPack(IngestionError):
    code = "malformed_pack"


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTerm:
    """A word or phrase; `context`: words of which a question must have one, none where it is empty."""

    text: str
    context: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WordGroup:
    """`left` finds `right`, and where it is `two_way` every term finds the others.

    `key`: unique in its pack, and the same in every release that has these terms on the left.
    """

    key: str
    left: tuple[SaidTerm, ...]
    right: tuple[SaidTerm, ...]
    two_way: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """`digest` changes with the file."""

    name: str
    title: str
    digest: str
    groups: tuple[WordGroup, ...]


def shipped_packs(folder: Path = SHIPPED) -> list[Pack]:
    """All packs of `folder` by name. Raises MalformedPack."""
    return [read_pack(path) for path in sorted(folder.glob("*.txt"))]


def read_pack(path: Path) -> Pack:
    """Raises MalformedPack with the number of the line that is no group."""
    content = path.read_text(encoding="utf-8")
    title = next((line[1:].strip() for line in content.splitlines() if line.startswith("#")), path.stem)
    return Pack(
        name=path.stem,
        title=title,
        digest=hashlib.sha256((_KEYS + content).encode()).hexdigest(),
        groups=tuple(_groups(path.name, content.splitlines())),
    )


def _groups(name: str, lines: list[str]) -> Iterator[WordGroup]:
    """A second group of the same terms on the left has another key than the first."""
    times: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            left, sign, right = _parts(name, number, line)
            said = "; ".join(term.text for term in left)
            times[said] += 1
            key = hashlib.sha256(f"{said}\n{times[said]}".encode()).hexdigest()
            yield WordGroup(key=key, left=left, right=right, two_way=sign == "=")


def _parts(name: str, number: int, line: str) -> tuple[tuple[SaidTerm, ...], str, tuple[SaidTerm, ...]]:
    match = _LINE.fullmatch(line.strip())
    sides = [tuple(_terms(side)) for side in match.group(1, 3)] if match else []
    if not match or not all(sides):
        raise MalformedPack(
            _("%(name)s, line %(number)d is no group of words: %(line)s")
            % {"name": name, "number": number, "line": line}
        )
    return sides[0], match.group(2), sides[1]


def _terms(side: str) -> Iterator[SaidTerm]:
    for written in side.split(";"):
        if match := _TERM.fullmatch(written.strip()):
            context = (match.group(2) or "").split(",")
            yield SaidTerm(text=match.group(1), context=tuple(word.strip() for word in context if word.strip()))
