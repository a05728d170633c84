"""A lift for text beside code and data, which hold the same words many times over and answer few questions."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from rag.search.boosts.asked_thing import LIFT
from rag.search.boosts.known_scores import has_known_scores, lifted
from rag.search.context import SearchContext
from rag.types import Boost, Passage
from rag.understanding.expected import expected

_MOST = 6  # passages among which data would be in the way
_DATA = 0.8  # of a passage's lines
_LINE = re.compile(
    r"""\s*(?:["{}\[\]]|<[/?\w]|//|\w+\s*[:=(]\s*["\w]*[,;{(]?\s*$|[-\w]+\(|- \*\*[\w.-]+\*\* \()""",
)
_ASKING_FOR_DATA = frozenset(("code", "web"))


class PlainTextFirst:
    """Lifts passages of text by LIFT where one of the first is nothing but code or data, unless that is asked for.

    Only scores of the reranker `features` mean the same for every question, so others stay.
    """

    name = "plain_text"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if not passages or not has_known_scores(search, passages[0]):
            return list(passages)
        data = {passage.chunk_id for passage in passages[:_MOST] if is_data(passage.text)}
        asked = expected(search.query.text)
        if not data or _ASKING_FOR_DATA.intersection((*asked.kinds, *asked.hints)):
            return list(passages)
        boost = Boost(name=self.name, value=LIFT, reason=_("It is text, and not code or data"))
        ordered = [one if one.chunk_id in data or is_data(one.text) else lifted(one, boost) for one in passages]
        search.note(self.name, str(len(data)), applied=True)
        return sorted(ordered, key=lambda passage: -passage.score)


def is_data(text: str) -> bool:
    """Whether its lines, but for headings, are nearly all keys with values, fields with types, brackets or calls."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("```", "#"))]
    return bool(lines) and sum(bool(_LINE.match(line)) for line in lines) >= _DATA * len(lines)
