"""What of a site is still to be read, and what is not to be read at all."""

import re
from collections import Counter, deque
from collections.abc import Hashable, Sequence

import httpx

from ingestion.sources.addresses import identity, path_of, site_of
from ingestion.sources.patterns import wanted
from ingestion.sources.types import SkipReason
from ingestion.sources.web.robots import Robots

_MAX_SEGMENTS = 12
_MAX_REPEATS = 2  # of a segment in a path; /a/b/a/b/a/b is a relative link gone wrong
_MAX_QUERIES = 100  # of one path
_MAX_DATES = 200  # of one shape of path: months of a calendar
_MAX_PARAMETERS = 6
_MAX_LENGTH = 1000
_DATE = re.compile(r"(?:19|20|21)\d\d[-/]?(?:0?[1-9]|1[0-2])\b")
_DIGITS = re.compile(r"\d+")


class EndlessSpaces:
    """Counts what was seen of a site and says when it is enough of a kind."""

    def __init__(self) -> None:
        self._seen: Counter[Hashable] = Counter()

    def has(self, url: str) -> bool:
        """Whether `url`, met for the first time, looks like one of a row that does not end."""
        parsed = httpx.URL(url)
        segments = [segment for segment in parsed.path.split("/") if segment]
        repeated = max(Counter(segments).values(), default=0) > _MAX_REPEATS
        if len(url) > _MAX_LENGTH or len(segments) > _MAX_SEGMENTS or repeated:
            return True
        if len(parsed.params) > _MAX_PARAMETERS:
            return True
        if parsed.query and self._is_over(parsed.path, _MAX_QUERIES):
            return True
        return bool(_DATE.search(parsed.path)) and self._is_over(("date", _DIGITS.sub("0", parsed.path)), _MAX_DATES)

    def _is_over(self, kind: Hashable, limit: int) -> bool:
        self._seen[kind] += 1
        return self._seen[kind] > limit


class Frontier:
    """Addresses in the order they were met, each page once. All are as `addresses.normal` gives them."""

    def __init__(self, *, include: Sequence[str], exclude: Sequence[str]) -> None:
        self._sites: dict[str, Robots] = {}
        self._include, self._exclude = include, exclude
        self._endless = EndlessSpaces()
        self._met: set[str] = set()
        self._waiting: deque[tuple[str, int]] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def next(self) -> tuple[str, int]:
        """(address, how many links it is away from the beginning)."""
        return self._waiting.popleft()

    def has_met(self, url: str) -> bool:
        return identity(url) in self._met

    def meet(self, url: str) -> bool:
        """Whether it is met for the first time."""
        new = identity(url) not in self._met
        self._met.add(identity(url))
        return new

    def robots_of(self, url: str) -> Robots | None:
        """The rules of the site of `url`; None where it does not belong to the source."""
        return self._sites.get(site_of(url))

    def welcome(self, url: str, robots: Robots) -> None:
        """The site of `url` belongs to the source."""
        self._sites[site_of(url)] = robots

    def begin(self, url: str) -> SkipReason | None:
        """The first page is read for its links whatever the patterns say."""
        if not self._sites[site_of(url)].allows(url):
            return "robots"
        self._put(url, 0)
        return None

    def _put(self, url: str, depth: int) -> None:
        if self.meet(url):
            self._waiting.append((url, depth))

    def offer(self, url: str, depth: int) -> SkipReason | None:
        """To be read if nothing speaks against it: then None, as for what was met before."""
        if self.has_met(url):
            return None
        reason = self.objection(url)
        if reason == "other_site":
            return reason
        if reason is None and self._endless.has(url):
            reason = "endless"
        if reason is None:
            self._put(url, depth)
        else:
            self.meet(url)
        return reason

    def objection(self, url: str) -> SkipReason | None:
        robots = self.robots_of(url)
        if robots is None:
            return "other_site"
        if not self.is_wanted(url):
            return "excluded"
        return None if robots.allows(url) else "robots"

    def is_wanted(self, url: str) -> bool:
        return wanted(path_of(url), include=self._include, exclude=self._exclude)
