"""Where the program's own files lie: beside the packages in a checkout, inside this one where a wheel was installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

BASE_DIR = _PACKAGE.parent
"""The folder that the packages are imported from."""

IN_CHECKOUT = (BASE_DIR / "manage.py").is_file()

DATA_HOME = BASE_DIR if IN_CHECKOUT else Path.cwd()
"""Where `var` is made, unless VAR_DIR names another folder."""


def shipped(name: str) -> Path:
    """The folder `name` (`templates`, `fixtures`) that comes with the program."""
    return BASE_DIR / name if IN_CHECKOUT else _PACKAGE / "shipped" / name
