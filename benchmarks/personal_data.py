"""How much of labelled personal data is found, by kind, and how fast: `python benchmarks/personal_data.py FILE.jsonl`.

Each line is {"text": …, "spans": [{"start", "end", "kind"}]}. A labelled place counts as found where at least half of
its characters are, whatever the kind: it would be covered. Precision is read by hand: public labels leave names out.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path

from ingestion.library.personal_data.detection import find_personal_data


def main(path: Path) -> None:
    labelled: Counter[str] = Counter()
    found: Counter[str] = Counter()
    seconds, characters = 0.0, 0
    for line in path.read_text().splitlines():
        row = json.loads(line)
        began = time.process_time()
        spans = find_personal_data(row["text"], exempt=())
        seconds += time.process_time() - began
        characters += len(row["text"])
        covered = {place for span in spans for place in range(span.start, span.end)}
        for span in row["spans"]:
            places = range(span["start"], span["end"])
            labelled[span["kind"]] += 1
            found[span["kind"]] += 2 * len(covered.intersection(places)) >= len(places)
    for kind, number in labelled.most_common():
        print(f"{kind:12} {found[kind] / number:.3f} of {number}")
    print(f"{characters / 1000 / seconds:.0f} KB/s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
