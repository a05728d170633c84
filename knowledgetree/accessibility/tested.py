"""What the browser tests see of the pages, with each build: they visit what stands here, and nothing else is claimed.

In `tests/browser`, `test_accessibility.py` has axe look at every one of PAGES, and `test_keyboard.py` takes every one
of JOURNEYS.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

STANDARD: Final = "WCAG 2.2 AA"
ENGINE: Final = "axe-core"

PAGES: Final[dict[str, Promise]] = {
    "question": _("the page for questions, before and after an answer"),
    "source": _("a source beside its answer"),
    "document": _("a document"),
    "library": _("the library, its collections and its search"),
    "account": _("signing in, the account and its forms"),
    "faults": _("pages that say what went wrong"),
    "dialogs": _("questions before something is deleted, menus and filters"),
    "declaration": _("this declaration"),
    "administration": _("every list and form of the administration"),
}

JOURNEYS: Final[dict[str, Promise]] = {
    "ask": _("ask, open a source and close it"),
    "skip": _("skip the navigation"),
    "sign_in": _("sign in and out"),
    "follow_up": _("ask on in a conversation"),
    "filters": _("choose where to look"),
    "find": _("find a document and a place in it"),
    "rename": _("rename a conversation"),
    "delete": _("delete a conversation, or leave it after all"),
    "judge": _("judge an answer and say why"),
    "report_gap": _("report that a document is missing"),
    "language": _("change the language"),
    "upload": _("upload a document"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFault:
    """A success criterion that a page does not meet, and why."""

    criterion: str
    page: str
    reason: Promise


KNOWN_FAULTS: Final[tuple[KnownFault, ...]] = ()
"""The tests fail at any other."""
