"""What every extractor makes of the files in a folder: status, pages, characters, seconds and warnings.

    python benchmarks/extraction_report.py ../shared/data/documents
    python benchmarks/extraction_report.py ../shared/data/documents --files --only "*.xls*" --exclude "skany_pdf/*"

Prints a table by subfolder and type, then every failure and every warning with the number of files it stands for; with
`--files` a line for each file too. Nothing is written to the database. Seconds are of processor time.
"""

import argparse
import os
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

_DIGITS = str.maketrans(dict.fromkeys("0123456789", "#"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One file; `error` is the code of what went wrong, "" for success. `seconds` of our processes' processor time."""

    path: Path
    folder: str
    kind: str
    seconds: float
    pages: int = 0
    characters: int = 0
    warnings: tuple[str, ...] = ()
    error: str = ""
    message: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", default=[], help="pattern of paths below the folder")
    parser.add_argument("--exclude", action="append", default=[], help="pattern of paths below the folder")
    parser.add_argument("--files", action="store_true", help="a line for each file")
    arguments = parser.parse_args()
    prepare_django()
    results = []
    for path in wanted(arguments.folder, arguments.only, arguments.exclude):
        results.append(read(path, arguments.folder))
        if arguments.files:
            print(file_line(results[-1]), flush=True)
    print("\n".join(["", *table(results), "", *messages(results)]))


def prepare_django() -> None:
    import django
    from django.utils import translation

    django.setup()
    translation.activate("en")


def wanted(folder: Path, only: Sequence[str], exclude: Sequence[str]) -> Iterator[Path]:
    for path in sorted(one for one in folder.rglob("*") if one.is_file() and one.stat().st_size):
        below = path.relative_to(folder).as_posix()
        if (not only or any(fnmatch(below, one) for one in only)) and not any(fnmatch(below, one) for one in exclude):
            yield path


def read(path: Path, folder: Path) -> Read:
    from ingestion.errors import ExtractionError
    from ingestion.reading.registry import extract

    place = path.relative_to(folder)
    common = {"path": path, "folder": place.parts[0] if len(place.parts) > 1 else ".", "kind": path.suffix.lower()}
    started = processor_seconds()
    try:
        _, found = extract(path.read_bytes(), name=path.name, max_bytes=10**9, max_characters=10**9)
    except ExtractionError as error:
        return Read(seconds=processor_seconds() - started, error=error.code, message=str(error.message), **common)
    except Exception as error:
        return Read(seconds=processor_seconds() - started, error="CRASH", message=repr(error), **common)
    return Read(
        seconds=processor_seconds() - started,
        pages=len(found.pages),
        characters=len(found.text),
        warnings=tuple(map(str, found.warnings)),
        **common,
    )


def processor_seconds() -> float:
    """Of this process and of those it waited for, such as the recognition of pictures."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def file_line(one: Read) -> str:
    state = f"{one.error}: {one.message}" if one.error else "; ".join(one.warnings)
    return f"{one.seconds:7.2f} s {one.pages:5d} p {one.characters:9d} c  {one.path.name}  {state}".rstrip()


def table(results: Sequence[Read]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[Read]] = defaultdict(list)
    for one in results:
        groups[one.folder, one.kind].append(one)
    columns = "folder", "type", "files", "read", "refused", "crashed", "pages", "characters", "s median", "s longest"
    yield f"| {' | '.join(columns)} | characters/s |"
    yield f"| --- | --- |{' ---: |' * (len(columns) - 1)}"
    for (folder, kind), group in sorted(groups.items()):
        yield row(folder, kind, group)
    yield row("all", "", results)


def row(folder: str, kind: str, group: Sequence[Read]) -> str:
    seconds = [one.seconds for one in group] or [0.0]
    crashed = sum(one.error == "CRASH" for one in group)
    refused = sum(bool(one.error) for one in group) - crashed
    characters = sum(one.characters for one in group)
    cells = [
        folder, kind, len(group), len(group) - refused - crashed, refused, crashed, sum(one.pages for one in group),
        f"{characters:,}", f"{statistics.median(seconds):.2f}", f"{max(seconds):.2f}",
        f"{characters / max(sum(seconds), 0.01):,.0f}",
    ]  # fmt: skip
    return "| " + " | ".join(map(str, cells)) + " |"


def messages(results: Sequence[Read]) -> Iterator[str]:
    """Failures and warnings, alike but for their numbers and names counted once."""
    kinds = Counter(
        (one.kind, one.error or "warning", text.translate(_DIGITS)[:160])
        for one in results
        for text in (one.warnings or ((one.message,) if one.error else ()))
    )
    yield "| type | what | files | message |"
    yield "| --- | --- | ---: | --- |"
    for (kind, what, text), count in sorted(kinds.items()):
        yield f"| {kind} | {what} | {count} | {text} |"


if __name__ == "__main__":
    main()
