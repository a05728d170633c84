"""Writes docs/transcript-real-documents.md: real documents indexed and asked, with the output as it came.

    python benchmarks/transcript.py [--data ../shared/data/documents] [--output docs/transcript-real-documents.md]

Each command runs in a process of its own against an embedded database in a temporary folder, without a model key.
"""

import argparse
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = "../shared/data/documents"
FOLDERS = {
    "ksef": "documentation of the Polish national e-invoicing system: Markdown",
    "microsoft365": "administrators' documentation of Microsoft 365 in Polish: Markdown",
    "biuletyn_pdf_xlsx": "public information bulletins: PDF, XLS, XLSX, PPTX",
    "wzory_docx_pdf": "forms of a university: DOCX, PDF, DOC, TeX",
    "matura_pdf": "school-leaving examination papers: PDF",
}
QUESTIONS = ("Jak uwierzytelnić się tokenem KSeF?", "Jakie są limity zapytań?", "Czym jest kod QR na fakturze offline?")
ASKED_COLLECTION = "ksef"

INTRODUCTION = """\
# Transcript: real documents

Written by `python benchmarks/transcript.py` on {date} (Python {python}, {cores} CPU cores, embedded PostgreSQL,
embedder `hashing`, no language model). Do not edit it by hand; run the script again.

The documents are development data that lie in `shared/data` beside the project. They are not part of the project. Times
are those of the whole process: start of Python and of the database, dictionaries, work. Processor time is the command's
own, without the database; wall time is longer where other work shares the machine.

Below each `index` command stands its summary. The report names each document that failed or has warnings; those lines
are counted here by reason, with one example each. Numbers and lists of pages inside a reason are written as N. Nothing
else is left out. The output of `query` is complete.
"""

_ENTRY = re.compile(r"^  (?P<sign>[✗!]) (?P<subject>.+)\n    (?P<reason>.+)$", re.MULTILINE)
_NUMBERS = re.compile(r"\d+(?:[.,]\d+)?(?:, \d+)*(?: …)?")
_SIGNS = {"✗": "failed", "!": "warning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A finished command: `shown` is how a person would type it."""

    shown: str
    output: str
    errors: str
    status: int
    seconds: float
    processor_seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=DATA, help="relative to the project")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/transcript-real-documents.md")
    options = parser.parse_args()
    if not (ROOT / options.data).is_dir():
        raise SystemExit(f"There is no folder {options.data} beside the project.")
    with tempfile.TemporaryDirectory(prefix="kt-transcript-") as folder:
        options.output.write_text(transcript(options.data, Path(folder)), encoding="utf-8")


def transcript(data: str, folder: Path) -> str:
    manage(folder, "migrate", "--verbosity", "0")
    parts = [
        INTRODUCTION.format(
            date=date.today().isoformat(), python=platform.python_version(), cores=os.cpu_count() or "unknown"
        ),
        "## Indexing\n",
    ]
    for name, description in FOLDERS.items():
        print(f"index {name}", flush=True)
        run = manage(folder, "index", f"{data}/{name}", "--collection", name)
        parts.append(f"### {name}\n\n{sentence(description)}.\n\n{indexing(run)}")
    parts.append("## Asking\n")
    for question in QUESTIONS:
        print(question, flush=True)
        run = manage(folder, "query", question, "--collection", ASKED_COLLECTION)
        parts.append(block(run, run.output.strip("\n")))
    return "\n".join(parts)


def manage(folder: Path, *arguments: str) -> Run:
    """`manage.py ARGUMENTS` with its database and files under `folder` and no setting of the caller's."""
    foreign = ("DATABASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "EMBEDDER")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    started, spent = time.perf_counter(), processor_seconds()
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment | {"VAR_DIR": str(folder / "var"), "COLUMNS": "100"},
        check=False,
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - started
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    quoted = (f'"{word}"' if " " in word else word for word in arguments)
    return Run(
        shown=" ".join(["python manage.py", *quoted]),
        output=done.stdout,
        errors=done.stderr,
        status=done.returncode,
        seconds=seconds,
        processor_seconds=processor_seconds() - spent,
    )


def processor_seconds() -> float:
    """Of the commands that have ended, with the processes that they waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def indexing(run: Run) -> str:
    summary = _ENTRY.sub("", run.output).strip("\n")
    return block(run, re.sub(r"\n{2,}", "\n", summary)) + "\n" + reasons(run.output + run.errors)


def block(run: Run, output: str) -> str:
    times = f"{run.seconds:.1f} s wall time, {run.processor_seconds:.1f} s of processor time"
    ended = f"exit status {run.status}, " if run.status else ""
    return f"```console\n$ {run.shown}\n{output}\n```\n\n{sentence(ended)}{times}.\n"


def reasons(output: str) -> str:
    """A table of the documents that failed or were read with a warning, by reason."""
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], str] = {}
    for match in _ENTRY.finditer(output):
        key = (_SIGNS[match["sign"]], without_numbers(match["reason"]))
        counts[key] += 1
        examples.setdefault(key, match["subject"])
    if not counts:
        return "No document failed and none has a warning.\n"
    rows = [f"| {n} | {sign} | {reason} | `{examples[sign, reason]}` |" for (sign, reason), n in counts.most_common()]
    return "\n".join(["| documents | what | reason | example |", "|---|---|---|---|", *rows, ""])


def without_numbers(reason: str) -> str:
    code, bracket, text = reason.partition("] ")
    return code + bracket + _NUMBERS.sub("N", text) if bracket else _NUMBERS.sub("N", reason)


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


if __name__ == "__main__":
    main()
