"""Lifts for the kinds of document that an organisation trusts most: the preset names them."""

from django.utils.translation import gettext as _

from rag.search.context import SearchContext
from rag.types import Passage


def document_type(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """By media type, such as "application/pdf"."""
    lift = search.preset.boosts.document_type.get(passage.media_type, 0.0)
    return lift, _("Preferred type of document (%(type)s)") % {"type": passage.media_type}


def category(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """By the document's category, as editors wrote it."""
    lift = search.preset.boosts.category.get(passage.category, 0.0)
    return lift, _("Preferred category (%(category)s)") % {"category": passage.category}
