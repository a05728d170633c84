"""What may be read of questions, answers and what is measured with them, by whom."""

from rag.selectors.assistants import (
    editable_assistants,
    offered_assistants,
)
from rag.selectors.conversations import (
    ShownExchange,
    answers_as_stored,
    as_told,
    conversations_of,
    for_everyone,
    readable_exchanges,
    seen_exchange,
    shared_exchanges,
    shown_exchanges,
    visible_feedback,
    visible_gaps,
)
from rag.selectors.evaluation import (
    hidden_judgements,
    markable_datasets,
    may_mark,
    may_measure,
    may_view,
    measurable_datasets,
    visible_datasets,
    visible_measurements,
    visible_optimizations,
    visible_runs,
)
from rag.selectors.widgets import (
    editable_widgets,
    living_widgets,
)

__all__ = [
    "ShownExchange",
    "answers_as_stored",
    "as_told",
    "conversations_of",
    "editable_assistants",
    "editable_widgets",
    "for_everyone",
    "hidden_judgements",
    "living_widgets",
    "markable_datasets",
    "may_mark",
    "may_measure",
    "may_view",
    "measurable_datasets",
    "offered_assistants",
    "readable_exchanges",
    "seen_exchange",
    "shared_exchanges",
    "shown_exchanges",
    "visible_datasets",
    "visible_feedback",
    "visible_gaps",
    "visible_measurements",
    "visible_optimizations",
    "visible_runs",
]
