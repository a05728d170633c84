"""Which browser a session is in, so that people tell their own from a stranger's."""

from django.utils.translation import gettext as _

# The first that is found: browsers name those that they are like as well.
_BROWSERS = {
    "Edg/": "Edge", "OPR/": "Opera", "SamsungBrowser/": "Samsung Internet", "Firefox/": "Firefox",
    "Chrome/": "Chrome", "Safari/": "Safari",
}  # fmt: skip
_SYSTEMS = {
    "Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS X": "macOS",
    "CrOS": "ChromeOS", "Linux": "Linux",
}  # fmt: skip


def browser_in_words(user_agent: str) -> str:
    """Such as "Firefox, Windows"."""
    browser = next((name for sign, name in _BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS.items() if sign in user_agent), "")
    return ", ".join(filter(None, (browser, system))) or _("unknown browser")
