"""A lift for newer documents."""

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from rag.search.context import SearchContext
from rag.types import Passage

HALF_LIFE = 365
"""Days after which the lift is half of the greatest: regulations are renewed by the year."""


def recency(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """Halves with every year since the document came into force or, where that is not known, last changed."""
    if passage.dated is None:
        return 0.0, ""
    age = max(0, (timezone.localdate() - passage.dated).days)
    reason = _("Newer document, of %(day)s") % {"day": date_format(passage.dated)}
    return search.preset.boosts.recency * 0.5 ** (age / HALF_LIFE), reason
