"""How far folders were listed, as a cursor: UIDVALIDITY and the UIDs that were there, in ranges as IMAP writes them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderProgress:
    """UIDs count within one `validity` only: under another they are other messages."""

    validity: int
    uids: frozenset[int]

    @classmethod
    def read(cls, told: str) -> Self:
        validity, _colon, ranges = told.partition(" ")
        found: set[int] = set()
        for one in ranges.split(",") if ranges else ():
            first, _colon, last = one.partition(":")
            found.update(range(int(first), int(last or first) + 1))
        return cls(validity=int(validity), uids=frozenset(found))

    @property
    def told(self) -> str:
        return f"{self.validity} {in_ranges(self.uids)}"


def in_ranges(uids: Iterable[int]) -> str:
    """1, 2, 3, 7 as "1:3,7"."""
    ordered = sorted(uids)
    ends = [one for one, following in pairwise([*ordered, -1]) if following != one + 1]
    starts = [one for before, one in pairwise([-1, *ordered]) if one != before + 1]
    return ",".join(
        f"{first}:{last}" if first != last else str(first) for first, last in zip(starts, ends, strict=True)
    )


def progress_of(cursor: str) -> Mapping[str, FolderProgress]:
    """By the path of the folder. A cursor that is none is an empty one: everything is listed then."""
    try:
        return {str(path): FolderProgress.read(told) for path, told in json.loads(cursor or "{}").items()}
    except (ValueError, AttributeError):
        return {}


def cursor_of(progress: Mapping[str, FolderProgress]) -> str:
    return json.dumps({path: one.told for path, one in progress.items()}, ensure_ascii=False)
