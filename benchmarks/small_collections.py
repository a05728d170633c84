"""Makes collections of two to six documents of the sample, and the questions to ask each, for `judgement.py`.

    python benchmarks/small_collections.py FOLDER FILE.jsonl ...
    for each NAME in FOLDER: python manage.py index FOLDER/NAME --collection NAME --visibility public
    python benchmarks/judgement.py FOLDER/NAME.jsonl@NAME ...

A FILE has everyday questions about the sample. Each document that a question expects gets a collection with others
beside it, of its own folder or of any. Asked of it are the questions that it answers and, without an answer there,
three that other documents answer, one that none does, and two of `far_questions.jsonl`.
"""

import json
import random
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SAMPLE = HERE.parent / "fixtures" / "urzad"
SIZES = (2, 3, 4, 6)

Row = dict[str, Any]


def main() -> None:
    folder, *files = map(Path, sys.argv[1:])
    draw = random.Random(7)
    asked = [row for file in files for row in rows_of(file)]
    far = rows_of(HERE / "far_questions.jsonl")
    documents = sorted({row["documents"][0] for row in asked if len(row["documents"]) == 1})
    for number, document in enumerate(documents):
        held = {document, *draw.sample(beside(document, documents, number), SIZES[number % len(SIZES)] - 1)}
        write(folder / f"small{number:02d}", held, questions(document, held, asked, far, draw))


def beside(document: str, documents: Sequence[str], number: int) -> Sequence[str]:
    """What it may stand with: for every second one documents of its folder, if they are enough."""
    others = [one for one in documents if one != document]
    alike = [one for one in others if Path(one).parent == Path(document).parent]
    return alike if number % 2 and len(alike) >= max(SIZES) - 1 else others


def questions(
    document: str, held: set[str], asked: Sequence[Row], far: Sequence[Row], draw: random.Random
) -> list[Row]:
    own = [row for row in asked if row["documents"] == [document]]
    foreign = [row for row in asked if row["documents"] and not held & {*row["documents"]}]
    near = [row for row in asked if row["kind"] == "near_miss"]
    others = [*draw.sample(foreign, 3), *draw.sample(near, 1), *draw.sample(far, 2)]
    return [*own, *({**row, "answerable": False, "documents": []} for row in others)]


def write(folder: Path, held: set[str], asked: Sequence[Row]) -> None:
    for one in sorted(held):
        (folder / one).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SAMPLE / one, folder / one)
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in asked)
    folder.with_suffix(".jsonl").write_text("".join(lines), encoding="utf-8")


def rows_of(file: Path) -> list[Row]:
    """With the documents that answer under one name, which differs between files."""
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [{"documents": row.pop("expected_documents", []), **row} for row in rows]


if __name__ == "__main__":
    main()
