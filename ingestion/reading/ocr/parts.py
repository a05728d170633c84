"""What text recognition is made of, and which of it is missing on this machine."""

import shutil
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec

LANGUAGES = ("pol", "eng")


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrParts:
    """`package`: whether `pytesseract` is installed; `program`: the path of `tesseract`, "" where there is none;
    `languages`: those of `LANGUAGES` that it has data of.
    """

    package: bool
    program: str
    languages: tuple[str, ...]

    @property
    def works(self) -> bool:
        return self.package and bool(self.languages)

    @property
    def missing(self) -> str:
        """What is to be installed, by the names of PyPI and Debian: "tesseract-ocr, tesseract-ocr-pol"."""
        names = {
            "pytesseract": not self.package,
            "tesseract-ocr": not self.program,
            "tesseract-ocr-pol": "pol" not in self.languages,
        }
        return ", ".join(name for name, is_missing in names.items() if is_missing)


def ocr_parts() -> OcrParts:
    """As they are at this moment; asks the program for its languages, some milliseconds."""
    program = shutil.which("tesseract") or ""
    installed = _listed(program) if program else frozenset()
    return OcrParts(
        package=find_spec("pytesseract") is not None,
        program=program,
        languages=tuple(name for name in LANGUAGES if name in installed),
    )


def _listed(program: str) -> frozenset[str]:
    """The lines of `tesseract --list-langs`; older releases write them to stderr."""
    try:
        listing = subprocess.run(
            [program, "--list-langs"], capture_output=True, check=False, text=True, errors="replace", timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return frozenset()
    return frozenset(line.strip() for line in (listing.stdout + listing.stderr).splitlines())
