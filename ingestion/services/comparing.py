"""Two versions of a document, compared line by line."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.models import DocumentVersion

_LONGEST = 20_000  # lines compared; more would keep a web process busy for minutes
_AROUND = 3  # unchanged lines shown on either side of a change


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedLine:
    """A line of a comparison; `skipped` is how many unchanged ones are left out in its place."""

    kind: Literal["same", "removed", "added", "skipped"]
    text: str = ""
    skipped: int = 0


def text_of(version: DocumentVersion) -> str | None:
    """The text as it was read; None where the version was never indexed."""
    current = version.document.extractions.filter(checksum=version.checksum).order_by("pk").first()
    return current.text if current else version.text or None


def compared(old: str, new: str) -> Iterator[ComparedLine]:
    """What was removed and added, line by line. Raises IngestionError for texts too long to compare here."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > _LONGEST:
        raise IngestionError(_("These texts are too long to compare here; download both versions."))
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    reached = 0
    for group in matcher.get_grouped_opcodes(_AROUND):
        if skipped := group[0][1] - reached:
            yield ComparedLine(kind="skipped", skipped=skipped)
        for tag, start, end, begin, close in group:
            if tag == "equal":
                yield from (ComparedLine(kind="same", text=line) for line in before[start:end])
            else:
                yield from (ComparedLine(kind="removed", text=line) for line in before[start:end])
                yield from (ComparedLine(kind="added", text=line) for line in after[begin:close])
        reached = group[-1][2]
    if 0 < reached < len(before):
        yield ComparedLine(kind="skipped", skipped=len(before) - reached)
