"""robots.txt as RFC 9309 says: the group of our name or `*`, the longest rule that matches, `*` and `$` in paths."""

import re
from dataclasses import dataclass, field

import httpx
from protego import Protego

from knowledgetree.fetching import Fetched, Fetcher
from knowledgetree.fetching.errors import HTTPFailure

MAX_DELAY = 30.0
"""Seconds. A longer Crawl-delay is cut to this: a site that asks for hours will not be read in a night."""

_MAX_BYTES = 500_000
_NAMES_A_PROGRAM = re.compile(r"\s*user[-\s]*agent\b[\s:]*(.*)", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Robots:
    """What a site asks of the program that calls itself `agent`; by default nothing."""

    agent: str = "*"
    parsed: Protego = field(default_factory=Protego)

    def allows(self, url: str) -> bool:
        return self.parsed.can_fetch(url, self.agent)

    @property
    def delay(self) -> float:
        """Seconds between requests."""
        return min(self.parsed.crawl_delay(self.agent) or 0.0, MAX_DELAY)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """Their addresses."""
        return tuple(self.parsed.sitemaps)


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
    """The rules for the program that calls itself `agent`.

    All other programs go under one name: Protego copies a rule for each program of its group, and a hostile file of a
    thousand of names and ten thousand rules would fill the memory.
    """
    own = {agent.lower(), "*"}
    lines = (
        line if not (named := _NAMES_A_PROGRAM.match(line)) or _name(named[1]) in own else "User-agent: !"
        for line in text.splitlines()
    )
    return Robots(agent=agent, parsed=Protego.parse("\n".join(lines)))


def _name(value: str) -> str:
    return value.partition("#")[0].strip().lower()
