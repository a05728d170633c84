"""Which paths of a source are wanted."""

from collections.abc import Sequence
from fnmatch import fnmatchcase


def wanted(path: str, *, include: Sequence[str], exclude: Sequence[str]) -> bool:
    """Whether `path` matches one of `include` (none: everything) and none of `exclude`.

    Patterns are globs whose `*` matches `/` too: `/prawo/*`, `*.pdf`, `*/archiwum/*`.
    """
    included = not include or any(fnmatchcase(path, pattern) for pattern in include)
    return included and not any(fnmatchcase(path, pattern) for pattern in exclude)
