"""The documents of an invented institution as headings and sentences, and how the sentences that answer are told."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

NUMBER = re.compile(r"(?:(?:[-–•]|\d{1,2}[.)]|§ ?\d+[a-z]?\.?|[a-z]\)|Art\. ?\d+\.)\s+)+")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZĄĆĘŁŃÓŚŹŻ„\d§])")
BEGINNING = 40  # characters by which a sentence is told
RULE = re.compile(r"[|\s:-]+")


def parts_of(text: str) -> tuple[str, dict[str, list[str]]]:
    """The title, and by heading the lines under it."""
    title, heading, parts = "", "", dict[str, list[str]]()
    for line in map(str.strip, text.splitlines()):
        if line.startswith("#"):
            heading = line.lstrip("#").strip()
            title = title or heading
        elif line and not RULE.fullmatch(line):
            parts.setdefault(heading, []).append(flat(line))
    return title, parts


def sentences_of(line: str) -> list[str]:
    pieces = [line] if line.startswith("|") else map(bare, SENTENCE.split(line))
    return [piece for piece in pieces if len(piece) > len("§ 1.")]


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("*", "").replace("\\", "")).strip()


def bare(text: str) -> str:
    """Without the sign of an item or the number of a paragraph before it."""
    return NUMBER.sub("", text + " ", count=1).strip() if NUMBER.match(text + " ") else text


def beginnings(row: Mapping[str, Any]) -> list[str]:
    """How the sentences that answer a question begin, as its line has them."""
    return [flat(one)[:BEGINNING] for one in ([row["e"]] if isinstance(row["e"], str) else row["e"])]


def answering(row: Mapping[str, Any], sentences: Sequence[str]) -> list[int]:
    """The places of the sentences of its section that answer."""
    begun = [bare(flat(one))[:BEGINNING] for one in ([row["e"]] if isinstance(row["e"], str) else row["e"])]
    return [place for place, text in enumerate(sentences) if any(one in text for one in begun)]
