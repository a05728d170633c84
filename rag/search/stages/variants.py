"""Other wordings of a question, searched beside it; the question itself keeps the greatest weight."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import zip_longest

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from knowledgetree.postgres.connections import release_connections
from rag.errors import LLMError
from rag.search.context import SearchContext
from rag.search.query.analysis import AnalysedQuery
from rag.search.query.expanded_query import analysed_and_expanded
from rag.search.retrieval.filters import Condition
from rag.search.retrieval.fusion import fuse
from rag.search.retrieval.ranking import Hit, Ranking
from rag.search.stages.legs import Explained, LegRunner, QueryVector, leg_weights
from rag.types import Explanation
from rag.understanding.meaning.together import transformations, transformed
from rag.understanding.meaning.variants import Variant

_QUERIES = 6  # the question itself among them
_WEIGHT = 0.3  # of a variant, against 1 of the question: what three of them agree on does not outweigh it
_SHOWN = 120  # characters of a variant in an explanation


class Variants:
    """What the preset's transformations add to a search. `seconds`: what they may take, all together."""

    name = "transformation"

    def __init__(self, legs: LegRunner, *, seconds: float) -> None:
        self._legs = legs
        self._seconds = seconds

    def worded(self, search: SearchContext) -> list[Variant]:
        """The variants to search, each transformation's likeliest first; the trace says of each what became of it."""
        chosen = self._usable(search)
        if not chosen or search.llm is None:
            return []
        release_connections()
        outcomes = transformed(search.query.text, transformations(chosen, search.llm), seconds=self._seconds)
        made: dict[str, Sequence[Variant]] = {}
        for name, outcome in outcomes.items():
            if isinstance(outcome, LLMError):
                search.note(name, str(outcome.message), applied=False)
            else:
                made[name] = outcome.variants
                search.spend(name, outcome.usage)
        variants = _within_budget(list(made.values()))
        for name in made:
            _note_count(search, name, sum(variant.origin == name for variant in variants))
        search.clock.lap(self.name)
        return variants

    def _usable(self, search: SearchContext) -> list[str]:
        chosen: list[str] = list(dict.fromkeys(search.preset.transformations))
        if chosen and search.llm is None:
            search.note(self.name, _("No language model is configured."), applied=False)
        elif "hyde" in chosen and not _compares_meanings(search):
            search.note("hyde", _("The vectors that are searched compare letters, not meanings."), applied=False)
            chosen.remove("hyde")
        return chosen

    def joined(
        self, search: SearchContext, own: Explained, variants: Sequence[Variant], condition: Condition
    ) -> Explained:
        """The question's ranking `own`, fused with those of its variants under the same condition.

        No longer than a search without variants may become. An explanation names the variants that found the chunk.
        """
        if not variants:
            return own
        found = self._rankings(search, variants, condition)
        share = 1 / (1 + _WEIGHT * len(variants))
        method = search.preset.fusion or search.fusion.get("method") or "weighted"
        fused = fuse([(_ranking(own), share), *((ranking, _WEIGHT * share) for ranking in found)], method=method)
        search.clock.lap(self.name)
        texts, known, blank = _texts_by_chunk(found, variants), dict(own), Explanation(fusion_method=method)
        longest = max(len(own), search.preset.lexical_limit + search.preset.dense_limit)
        return [
            (chunk, replace(known.get(chunk, blank), fusion_score=score, variants=tuple(texts[chunk])))
            for chunk, score in fused[:longest]
        ]

    def _rankings(self, search: SearchContext, variants: Sequence[Variant], condition: Condition) -> list[Ranking]:
        """One for each variant. All vectors are under way before the first search begins."""
        # What a leg has to say of itself it said for the question; one that failed there is not waited for again.
        failed = any(entry.stage == "dense" and not entry.applied for entry in search.trace)
        aside = replace(search, trace=[], space=None if failed else search.space)
        queries = [_analysed(search, variant) for variant in variants]
        vectors = [
            self._legs.embedding(aside, query.compared, passage=variant.passage)
            for variant, query in zip(variants, queries, strict=True)
        ]
        return [
            self._ranking(aside, variant, query, vector, condition)
            for variant, query, vector in zip(variants, queries, vectors, strict=True)
        ]

    def _ranking(
        self,
        search: SearchContext,
        variant: Variant,
        query: AnalysedQuery,
        vector: "Future[QueryVector] | None",
        condition: Condition,
    ) -> Ranking:
        if variant.passage:
            return self._legs.nearest(search, vector, condition) if vector else []
        return _ranking(self._legs.run(search, query, condition, vector=vector).explained())


def _compares_meanings(search: SearchContext) -> bool:
    """Template 0 is for embedders that count words (`ingestion.embedding.template`)."""
    return search.space is not None and search.space.template_version > 0 and leg_weights(search)["dense"] > 0


def _within_budget(made: Sequence[Sequence[Variant]]) -> list[Variant]:
    """In turns, so that each transformation gets one before any gets a second. Questions that wait for the answers to
    others cannot be searched yet; a research does it.
    """
    ready = [[variant for variant in variants if not variant.depends_on] for variants in made]
    chosen: dict[str, Variant] = {}
    for turn in zip_longest(*ready):
        for variant in filter(None, turn):
            chosen.setdefault(variant.text.casefold(), variant)
    return list(chosen.values())[: _QUERIES - 1]


def _note_count(search: SearchContext, name: str, count: int) -> None:
    reason = ngettext("One more wording was searched.", "%(n)d more wordings were searched.", count) % {"n": count}
    search.note(name, reason if count else _("It has no other wording to search."), applied=count > 0)


def _texts_by_chunk(found: Sequence[Ranking], variants: Sequence[Variant]) -> dict[int, list[str]]:
    """The variants that found each chunk, each long one by its beginning."""
    texts: dict[int, list[str]] = defaultdict(list)
    for ranking, variant in zip(found, variants, strict=True):
        for hit in ranking:
            texts[hit.chunk_id].append(Truncator(variant.text).chars(_SHOWN))
    return texts


def _analysed(search: SearchContext, variant: Variant) -> AnalysedQuery:
    """As the question was, in the words of the same collections; an imagined passage is compared as it stands."""
    if variant.passage:
        return AnalysedQuery(text=variant.text, terms=(), guarded=search.query.guarded)
    return analysed_and_expanded(variant.text, search.collections, clearance=search.clearance)


def _ranking(explained: Explained) -> Ranking:
    return [Hit(chunk, explanation.fusion_score) for chunk, explanation in explained]
