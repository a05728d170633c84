"""The stages of a question's way, with what each does under a preset."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from knowledgetree.conf import RAGSettings
from rag.admin.assistants.preset_parts import said
from rag.presets import Preset


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStage:
    """`does` says what it is for, `here` what this preset makes of it; `on`: whether it does anything."""

    name: str
    does: str
    here: str
    on: bool = True


def stages_of(preset: Preset, settings: RAGSettings) -> list[ShownStage]:
    """In the order in which they run."""
    return [*_understanding(preset, settings), *_searching(preset, settings), *_answering(preset, settings)]


def _understanding(preset: Preset, settings: RAGSettings) -> Iterator[ShownStage]:
    asks = preset.asks_model and settings.llm.configured
    yield ShownStage(
        name=_("Understanding"),
        does=_("A follow-up question is worded to stand alone; what kind of answer is wanted is recognised."),
        here=_("by rules and a language model") if asks else _("by rules"),
    )
    yield ShownStage(
        name=_("Cache of answers"),
        does=_("The same question gets the same answer while nothing that it rests on has changed."),
        here=_("for %(hours)s h") % {"hours": said(settings.caches.answer_hours)},
        on=settings.caches.answer_hours > 0,
    )
    yield ShownStage(
        name=_("Words"),
        does=_("Typing errors are repaired; synonyms and other names of the glossary are searched too."),
        here=_("always"),
    )
    yield ShownStage(
        name=_("Glossary"),
        does=_("Words of the question that the glossary explains are shown with the answer."),
        here=_("at most 5 definitions"),
        on=preset.glossary,
    )
    yield ShownStage(
        name=_("Other wordings"),
        does=_("A language model words the question in other ways, which are searched too."),
        here=said(preset.transformations),
        on=bool(preset.transformations) and asks,
    )


def _searching(preset: Preset, settings: RAGSettings) -> Iterator[ShownStage]:
    yield ShownStage(
        name=_("Search by words"),
        does=_("BM25 over lemmas and word forms."),
        here=_("%(number)s passages") % {"number": preset.lexical_limit},
    )
    sentences = _(", and single sentences") if preset.sentences else ""
    yield ShownStage(
        name=_("Search by meaning"),
        does=_("Nearest vectors of the active embedding space."),
        here=_("%(number)s passages") % {"number": preset.dense_limit} + sentences,
    )
    yield ShownStage(
        name=_("Joining"),
        does=_("Both rankings become one."),
        here=_("as suits the embedding space") if preset.fusion is None else str(preset.fusion),
    )
    yield ShownStage(
        name=_("Graph of names"),
        does=_("From the names in the question to passages that share them."),
        here=_("weight %(weight)s") % {"weight": said(preset.graph_weight)},
        on=preset.graph_weight > 0,
    )
    yield ShownStage(
        name=_("Duplicates"),
        does=_("Passages that say the same stand for each other."),
        here=_("alike above %(share)s") % {"share": said(preset.alike_above)},
        on=preset.alike_above < 1,
    )
    yield ShownStage(
        name=_("Ordering anew"),
        does=_("A reranker looks at the best passages more closely."),
        here=_reranking(preset),
        on=preset.reranker != "none",
    )
    boosts = said(preset.boosts)
    yield ShownStage(
        name=_("Lifting"),
        does=_("Recency, kind or category lift a passage."),
        here=boosts,
        on=boosts != "–",
    )
    yield ShownStage(
        name=_("Breadth"),
        does=_("For a broad question each document speaks once first, and others of its group are lifted."),
        here=_("weight %(weight)s") % {"weight": said(preset.communities)},
        on=preset.communities > 0,
    )
    yield ShownStage(
        name=_("Neighbours"),
        does=_("A passage is extended by what stands around it."),
        here=_("%(number)s on either side") % {"number": preset.neighbours},
        on=preset.neighbours > 0,
    )


def _reranking(preset: Preset) -> str:
    name = preset.reranker or _("as suits the embedding space")
    when = _("when the order is in doubt") if preset.rerank_when == "uncertain" else _("always")
    return f"{name}, {when}, ≤ {preset.rerank_limit}, ≤ {said(preset.rerank_seconds)} s"


def _answering(preset: Preset, settings: RAGSettings) -> Iterator[ShownStage]:
    asks = preset.asks_model and settings.llm.configured
    yield ShownStage(
        name=_("Correction"),
        does=_("A poor search is repeated more widely; where it is allowed, the web is searched."),
        here=_("web: %(name)s") % {"name": settings.correction.web_search},
        on=preset.correction,
    )
    yield ShownStage(
        name=_("Research"),
        does=_("Composite questions are answered in several steps."),
        here=preset.research,
        on=preset.research != "off",
    )
    yield ShownStage(
        name=_("Enough evidence"),
        does=_("Where no passage is relevant enough, the answer is: not found in the sources."),
        here=_("from %(share)s on") % {"share": said(preset.min_relevance)},
        on=preset.min_relevance > 0,
    )
    written = preset.synthesizer if asks else "extractive"
    yield ShownStage(
        name=_("Writing"),
        does=_("The answer is written from the passages, each sentence with its source."),
        here=written
        if written == preset.synthesizer
        else _("%(name)s: no language model is configured") % {"name": written},
    )
    yield ShownStage(
        name=_("Checking"),
        does=_("Each claim is compared with its passages; contradictions are told."),
        here=_("by rules and a language model") if preset.verification == "llm" and asks else _("by rules"),
    )
    yield ShownStage(
        name=_("See also"),
        does=_(
            "Documents that share names with the sources, or say something near to them, are named beside the answer."
        ),
        here=_("at most %(number)s") % {"number": preset.related},
        on=preset.related > 0,
    )
