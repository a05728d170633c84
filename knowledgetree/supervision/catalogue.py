"""The catalogue without Django, which is forty megabytes of a process that only waits."""

import gettext
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "locale"
_catalogue = gettext.NullTranslations()


def speak(language: str) -> None:
    """From now on everything is said in `language`; in English where there is no catalogue of it."""
    global _catalogue
    _catalogue = gettext.translation("django", _FOLDER, [language], fallback=True)


def translated(message: str) -> str:
    return _catalogue.gettext(message) if message else ""
