"""Headings around a cited place, and whether words may stand where nobody knows who reads them."""

import re

from django.db.models.functions import Substr

from ingestion.models import Chunk
from ingestion.text.personal_data.masking import COVER, masked
from rag.types import Citation

_AROUND = 6000  # characters on either side
_MOST_HIDDEN = 200  # chunks
_HEADING = re.compile(r"^#{2,6}[ \t]+(\S.*)$", re.M)  # the first level is the title


def is_for_everyone(text: str) -> bool:
    """Whether `text` has no personal data, shown or covered."""
    return COVER not in text and masked(text) == text


def headings_around(citation: Citation) -> list[tuple[int, str]]:
    """(character, heading) near the citation, without those that an editor switched off; "" for one not for everyone.

    Empty where the chunk is gone. At most two queries.
    """
    begin = max(0, citation.start - _AROUND)
    chunk = Chunk.objects.filter(pk=citation.chunk_id)
    window = Substr("extraction__text", begin + 1, 2 * _AROUND)
    row = chunk.values_list("extraction", window).first()
    if row is None:
        return []
    extraction, text = row
    hidden = Chunk.objects.filter(extraction=extraction, enabled=False).values_list("start", "end")[:_MOST_HIDDEN]
    found = [(begin + match.start(), match[1]) for match in _HEADING.finditer(text)]
    return [
        (place, heading if is_for_everyone(heading) else "")
        for place, heading in found
        if not any(start <= place < end for start, end in hidden)
    ]
