"""What the stages after fusion did with a passage, in words for the reader."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rag.types import Explanation


def after_fusion_in_words(explanation: Explanation) -> Iterator[str]:
    """Sentences, in the order in which the stages ran."""
    if explanation.reranker_score is not None:
        yield _("The reranker %(name)s scores it %(score).2f.") % {
            "name": explanation.reranker,
            "score": explanation.reranker_score,
        }
    for boost in explanation.boosts:
        yield _("%(reason)s: +%(value).2f.") % {"reason": boost.reason, "value": boost.value}
    if alike := len(explanation.alike):
        yield ngettext(
            "It stands for %(n)d other passage that says the same.",
            "It stands for %(n)d other passages that say the same.",
            alike,
        ) % {"n": alike}
    if neighbours := len(explanation.neighbours):
        yield ngettext(
            "%(n)d neighbouring passage of the document is shown with it.",
            "%(n)d neighbouring passages of the document are shown with it.",
            neighbours,
        ) % {"n": neighbours}
