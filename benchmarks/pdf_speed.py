"""Pages a second and memory of the text of PDFs: a long one made here, and those given.

python benchmarks/pdf_speed.py [PDF ...]
"""

import os
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.reading.formats.pdf.pdf import PdfExtractor  # noqa: E402
from ingestion.types import no_progress  # noqa: E402
from tests.ingestion.reading.pdf_files import Print, pdf  # noqa: E402

PAGES = 500
_TEXT = [
    "Pracownik zatrudniony na podstawie umowy o pracę ma prawo do corocznego,",
    "nieprzerwanego, płatnego urlopu wypoczynkowego w wymiarze wynikającym z",
    "kodeksu pracy i niniejszego regulaminu, a wniosek składa przełożonemu.",
]


def long_pdf(pages: int = PAGES) -> bytes:
    """Forty full lines a page, some 2,900 characters, with a header and a page number."""
    return pdf([_page(number) for number in range(1, pages + 1)])


def _page(number: int) -> list[Print]:
    lines = [Print(_TEXT[row % 3], y=770 - 17 * row) for row in range(40)]
    return [Print("Regulamin pracy urzędu", y=810), *lines, Print(f"Strona {number}", y=30)]


def main() -> None:
    PdfExtractor().extract(long_pdf(2), name="a.pdf", progress=no_progress)  # dictionaries are loaded once a process
    before = _peak()
    for name, content in [
        (f"{PAGES} pages", long_pdf()),
        *((Path(path).name, Path(path).read_bytes()) for path in sys.argv[1:]),
    ]:
        start = time.process_time()
        found = PdfExtractor().extract(content, name="a.pdf", progress=no_progress)
        seconds = time.process_time() - start
        pages = len(found.pages)
        speed = f"{seconds:.2f} s of processor, {pages / seconds:.0f} pages/s"
        print(f"{name}: {pages} pages, {len(found.text)} characters, {speed}")
    print(f"memory: {before} MB before, {_peak()} MB at most")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
