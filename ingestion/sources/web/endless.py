"""Spaces of addresses without end: calendars, filters that combine, links that grow at every click."""

import re
from collections import Counter
from collections.abc import Hashable

import httpx

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
