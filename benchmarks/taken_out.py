"""Writes copies of institutions in which some of what answers is taken out, so that nothing answers what asked for it.

    python benchmarks/taken_out.py FOLDER ... --out OUT    # then index the *.md of each OUT/NAME as collection NAME,
    python benchmarks/judgement.py OUT/* --each 8 --keep KEPT    # not pytania.jsonl, which has the questions

Near misses that somebody writes are worded unlike other questions, and a judge learns that. Here one question, word for
word, has an answer in one copy and none in another. Of each institution (`benchmarks/institutions`) four copies lack a
quarter of the sentences that answer, and three a third of the sections. `pytania.jsonl` of a copy has the questions
whose answers are gone, with "k": "taken_out" and no "e", and about as many others.
"""

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from institution_texts import SENTENCE, beginnings, flat

QUARTERS, THIRDS = 4, 3
TITLE = "#"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    for folder in chosen.folders:
        rows = [json.loads(line) for line in (folder / "pytania.jsonl").read_text(encoding="utf-8").splitlines()]
        answered = [(row, beginnings(row)) for row in rows if "e" in row]
        begun = [one for _, some in answered for one in some]
        documents = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
        for part in range(QUARTERS):
            without = {name: "\n".join(sentences_left(text, begun, part)) for name, text in documents.items()}
            write(chosen.out / f"{folder.name}-{'abcd'[part]}", without, answered)
        for part in range(THIRDS):
            without = {name: "\n".join(sections_left(name, text, part)) for name, text in documents.items()}
            write(chosen.out / f"{folder.name}-{'efg'[part]}", without, answered)


def sentences_left(text: str, begun: Sequence[str], part: int) -> Iterator[str]:
    for line in text.splitlines():
        pieces = [line] if line.lstrip().startswith("|") else SENTENCE.split(line)
        gone = [any(of_part(one, QUARTERS, part) for one in begun if one in flat(piece)) for piece in pieces]
        left = [piece for piece, out in zip(pieces, gone, strict=True) if not out]
        if left or not line.strip():
            yield " ".join(left)


def sections_left(name: str, text: str, part: int) -> Iterator[str]:
    """The title stays, and what stands right under it."""
    kept = True
    for place, line in enumerate(text.splitlines()):
        if line.startswith(TITLE):
            kept = not place or not of_part(f"{name} {line}", THIRDS, part)
        if kept:
            yield line


def of_part(text: str, parts: int, part: int) -> bool:
    return zlib.crc32(text.encode()) % parts == part


def write(folder: Path, documents: dict[str, str], answered: Sequence[tuple[dict[str, str], Sequence[str]]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    whole = flat("\n".join(documents.values()))
    gone = [{**row, "k": "taken_out"} for row, begun in answered if not any(one in whole for one in begun)]
    for row in gone:
        del row["e"]
    there = [row for row, begun in answered if all(one in whole for one in begun)]
    rows = [*gone, *there[:: max(1, len(there) // max(1, len(gone)))]]
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "pytania.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
