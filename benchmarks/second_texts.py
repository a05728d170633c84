"""What a second extractor costs and finds: `python benchmarks/second_texts.py FOLDER`.

Reads every PDF below FOLDER with both, prints the times and how many words (of four letters or more, each once a file)
only one of the texts has. Neither text is the truth: a word that only one has may be one that it read amiss.
"""

import argparse
import os
import re
import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
WORD = re.compile(r"[^\W\d_]{4,}|\d[\d.,]*")


def words(text: str) -> set[str]:
    return set(WORD.findall(text.lower()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    from ingestion.errors import ExtractionError
    from ingestion.reading.formats.pdf.pdf import PdfExtractor
    from ingestion.reading.formats.pdf.plumbed import PlumbedPdfExtractor
    from ingestion.types import no_progress

    seconds: dict[str, list[float]] = {"pdf": [], "pdfplumber": []}
    only: dict[str, int] = {"pdf": 0, "pdfplumber": 0}
    pages = common = failed = 0
    for path in sorted(folder.rglob("*.pdf")):
        texts = {}
        for extractor in (PdfExtractor(recogniser=lambda: None), PlumbedPdfExtractor()):
            started = time.perf_counter()
            try:
                texts[extractor] = extractor.extract(path.read_bytes(), name=path.name, progress=no_progress)
            except ExtractionError:
                failed += 1
                break
            seconds[texts[extractor].extractor].append(time.perf_counter() - started)
        if len(texts) < 2:
            continue
        first, second = texts.values()
        pages += len(first.pages)
        common += len(words(first.text) & words(second.text))
        only["pdf"] += len(words(first.text) - words(second.text))
        only["pdfplumber"] += len(words(second.text) - words(first.text))
    print(f"{len(seconds['pdfplumber'])} files, {pages} pages; {failed} could not be read by one of the two")
    for name, each in seconds.items():
        print(f"{name}: {sum(each):.1f} s in all, {1000 * median(each):.0f} ms a file; {only[name]} words only here")
    print(f"{common} words in both")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    import django

    django.setup()
    main()
