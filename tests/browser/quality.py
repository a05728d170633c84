"""What every page must be: accessible by WCAG 2.2 AA (as far as a machine can tell), and free of complaints."""

from collections.abc import Sequence
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}


_NOT_OURS = ".selector .help-tooltip"  # Django's own lists to choose from name an icon


def violations(page: Page, *, without: Sequence[str] = ()) -> list[str]:
    """What axe finds, a line each: the rule, and the elements that break it. What `without` selects is left out.

    Seen from the top: on its way to an answer the page may show half a button beside the composer.
    """
    page.evaluate("window.scrollTo({top: 0, behavior: 'instant'})")
    context = {"exclude": [[selector] for selector in (_NOT_OURS, *without)]}
    found: list[dict[str, Any]] = Axe().run(page, context=context, options=_RULES).response["violations"]
    return [f"{page.url}: {one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def complaints_of(page: Page) -> list[str]:
    """What the browser says about broken scripts, missing files and the content security policy, from now on."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return complaints


def overflow(page: Page) -> int:
    """Pixels by which the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
