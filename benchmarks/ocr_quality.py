"""What the share of dictionary words says of a recognised page: letters read wrongly against noise and size of print.

python benchmarks/ocr_quality.py
"""

import os
import sys
from difflib import SequenceMatcher
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.reading.ocr.pages import recognised_page  # noqa: E402
from ingestion.reading.ocr.recognition import tesseract  # noqa: E402
from tests.ingestion.reading.pictures import LETTER, noisy, page  # noqa: E402


def main() -> None:
    recogniser = tesseract()
    if recogniser is None:
        sys.exit("tesseract is not installed")
    print("print  noise  letters right  words known  Polish letters  confidence")
    for size in (30, 18, 12):
        for share in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5):
            found = recognised_page(noisy(page(size=size), share), recogniser, dpi=200)
            right = SequenceMatcher(
                None, " ".join(LETTER), " ".join(found.content.text.split()), autojunk=False
            ).ratio()
            quality = found.quality
            judged = f"{quality.known:12.2f} {quality.polish:15.3f} {found.confidence:11.2f}"
            print(f"{size:5} {share:6.1f} {right:14.2f} {judged}", flush=True)


if __name__ == "__main__":
    main()
