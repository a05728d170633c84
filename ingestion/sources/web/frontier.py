"""What of a site is still to be read, and what is not to be read at all."""

from collections import deque
from collections.abc import Sequence

from ingestion.sources.addresses import identity, path_of, site_of
from ingestion.sources.patterns import wanted
from ingestion.sources.types import SkipReason
from ingestion.sources.web.endless import EndlessSpaces
from ingestion.sources.web.robots import Robots


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
