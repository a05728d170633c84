"""Names drawn at random from what the recogniser finds in a corpus, each in its place, to be judged by a person.

    python benchmarks/names_drawn.py FOLDER_OF_A_SET ... [--draw 100] [--seed 1] [--profile 4000]

A mention counts, not a name: what is named often is drawn often. Prints how many mentions there are a chunk. With
`--profile` prints what recognition of so many texts costs (by function with PROFILED=1) and the checksum of what was
found: it must stay the same where only speed is changed.
"""

import argparse
import cProfile
import hashlib
import json
import os
import pstats
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.text.analyser import analyser  # noqa: E402
from ingestion.text.names.mention import Named  # noqa: E402
from ingestion.text.names.recognition import Recogniser  # noqa: E402

PROFILED = bool(os.environ.get("PROFILED"))
AROUND = 40  # characters shown on either side


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--draw", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.profile:
        profile([text for folder in chosen.folders for text in texts(folder)][: chosen.profile])
        return
    for folder in chosen.folders:
        draw(folder, chosen.draw, chosen.seed)


def texts(folder: Path) -> Iterator[str]:
    """Title and text, as chunks are searched."""
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield f"{entry.get('title') or ''}\n{entry.get('text') or ''}"


def draw(folder: Path, number: int, seed: int) -> None:
    find = Recogniser(None).find
    read = list(texts(folder))
    mentions = [(text, named) for text in read for named in find(text)]
    print(f"{folder.name}: {len(mentions)} mentions in {len(read)} texts")
    for place, (text, named) in enumerate(random.Random(seed).sample(mentions, number), start=1):
        print(f"{place:3} {shown(text, named)}")


def shown(text: str, named: Named) -> str:
    before, after = text[max(0, named.start - AROUND) : named.start], text[named.end : named.end + AROUND]
    return f"{before}[[{named.name}]]{after}".replace("\n", "¶") + f"   ({named.key})"


def profile(read: list[str]) -> None:
    """As in ingestion: the words of the texts have been analysed before; "cold": no name has been seen."""
    find = Recogniser(None).find
    started = time.process_time()
    for text in read:
        analyser().words(text)
    print(f"{len(read)} texts: words {time.process_time() - started:.2f} s of processor time, ", end="")
    profiler = cProfile.Profile()
    started = time.process_time()
    found = profiler.runcall(lambda: [find(text) for text in read]) if PROFILED else [find(text) for text in read]
    cold = time.process_time()
    assert [find(text) for text in read] == found
    print(f"names cold {cold - started:.2f} s, warm {time.process_time() - cold:.2f} s")
    print("checksum", hashlib.sha256(repr(found).encode()).hexdigest()[:16])
    if PROFILED:
        pstats.Stats(profiler).sort_stats("tottime").print_stats(18)


if __name__ == "__main__":
    main()
