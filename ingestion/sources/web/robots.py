"""robots.txt as RFC 9309 says: the group of our name or `*`, the longest rule that matches, `*` and `$` in paths.

urllib.robotparser knows no wildcards and takes the first rule; sites are written for the standard.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import httpx

from knowledgetree.fetching import Fetched, Fetcher
from knowledgetree.fetching.errors import HTTPFailure

MAX_DELAY = 30.0
"""Seconds. A longer Crawl-delay is cut to this: a site that asks for hours will not be read in a night."""

_MAX_BYTES = 500_000
_MAX_RULES = 2000


@dataclass(slots=True, kw_only=True)
class _Group:
    agents: list[str] = field(default_factory=list)
    rules: list[tuple[str, bool]] = field(default_factory=list)
    delay: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots:
    """`rules`: (path pattern, allowed); `delay` in seconds between requests; `sitemaps` addresses."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allows(self, url: str) -> bool:
        target = httpx.URL(url).raw_path.decode("ascii")
        matching = [(len(pattern), allowed) for pattern, allowed in self.rules if _matches(pattern, target)]
        return max(matching, default=(0, True))[1]  # of equal length the one that allows


def fetch_robots(site_url: str, *, fetcher: Fetcher) -> Robots:
    """Those of the site of `site_url`. A site without robots.txt (4xx) allows all.

    Raises FetchError where it cannot be read: then the standard asks to keep out.
    """
    url = str(httpx.URL(site_url).copy_with(raw_path=b"/robots.txt"))
    try:
        fetched = fetcher.get(url, media_types=["*/*"], max_bytes=_MAX_BYTES)
    except HTTPFailure as error:
        if 400 <= error.answered < 500 and error.answered != 429:
            return Robots()
        raise
    text = fetched.text if isinstance(fetched, Fetched) and fetched.media_type.startswith("text/") else ""
    return parse_robots(text, agent=fetcher.user_agent.partition("/")[0])


def parse_robots(text: str, *, agent: str) -> Robots:
    """The rules for the program that calls itself `agent`."""
    groups, sitemaps = _groups(_lines(text))
    own = [group for group in groups if agent.lower() in group.agents]
    chosen = own or [group for group in groups if "*" in group.agents]
    return Robots(
        rules=tuple(rule for group in chosen for rule in group.rules)[:_MAX_RULES],
        delay=min(max((group.delay for group in chosen), default=0.0), MAX_DELAY),
        sitemaps=tuple(sitemaps),
    )


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield name.strip().lower(), value.strip()


def _groups(lines: Iterable[tuple[str, str]]) -> tuple[list[_Group], list[str]]:
    groups: list[_Group] = []
    sitemaps: list[str] = []
    naming = False
    for name, value in lines:
        if name == "user-agent":
            if not naming:
                groups.append(_Group())
            groups[-1].agents.append(value.lower())
        elif name == "sitemap":
            sitemaps.append(value)
        elif groups:
            _add(groups[-1], name, value)
        naming = name == "user-agent" or (naming and name == "sitemap")
    return groups, sitemaps


def _add(group: _Group, name: str, value: str) -> None:
    if name in {"allow", "disallow"} and value:
        group.rules.append((value, name == "allow"))
    elif name == "crawl-delay" and re.fullmatch(r"\d{1,6}(\.\d+)?", value):
        group.delay = float(value)


def _matches(pattern: str, target: str) -> bool:
    """Whether the pattern matches from the beginning; wildcards are tried one after another, never back and forth."""
    anchored = pattern.endswith("$")
    first, *others = _encoded(pattern.removesuffix("$")).split("*")
    if not target.startswith(first):
        return False
    place = len(first)
    for part in others[:-1]:
        found = target.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    if not others:
        return place == len(target) or not anchored
    last = others[-1]
    return target.endswith(last) and len(target) - len(last) >= place if anchored else target.find(last, place) >= 0


def _encoded(pattern: str) -> str:
    """Letters outside ASCII as addresses have them."""
    return "".join(
        letter if letter.isascii() else "".join(f"%{byte:02X}" for byte in letter.encode()) for letter in pattern
    )
