"""Presets: how a question is answered, as data. Parts of one can be overridden in `settings.RAG["presets"]`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.core.exceptions import ImproperlyConfigured

from knowledgetree.conf import build, rag_settings
from rag.types import FusionMethod


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """`fusion`, `dense_weight` and `reranker` None: those that suit the active embedding space.

    `*_limit` are passages a search contributes, `*_weight` shares in [0, 1]. `sentences` searches the vectors of single
    sentences too, where the space has them. At most `rerank_limit` passages are reranked, within `rerank_seconds`;
    where `rerank_when` is "uncertain", only if the fused order is in doubt. Passages alike above `alike_above` stand
    for each other (1: none do); `boosts` are the greatest lifts, by name; `neighbours` chunks on either side extend a
    passage. `transformations` are other wordings of the question that a language model adds.
    """

    name: str
    lexical_limit: int = 50
    dense_limit: int = 20
    graph_limit: int = 20
    fusion: FusionMethod | None = None
    dense_weight: float | None = None
    graph_weight: float = 0.0
    sentences: bool = False
    transformations: Sequence[str] = ()
    reranker: str | None = None
    rerank_limit: int = 100
    rerank_seconds: float = 2.0
    rerank_when: Literal["always", "uncertain"] = "always"
    alike_above: float = 1.0
    boosts: Mapping[str, float] = field(default_factory=dict)
    neighbours: int = 0
    synthesizer: str = "extractive"
    min_relevance: float = 0.4


_SHIPPED: dict[str, dict[str, Any]] = {
    "offline": {"synthesizer": "extractive"},
    "balanced": {"synthesizer": "compact", "min_relevance": 0.3},
}


def preset(name: str = "") -> Preset:
    """The preset `name`; by default the configured one, or `balanced` where a language model is configured.

    Raises ImproperlyConfigured, naming the known ones.
    """
    settings = rag_settings()
    presets = known_presets(settings.presets)
    name = name or settings.preset or ("balanced" if settings.llm.api_key else "offline")
    if name not in presets:
        raise ImproperlyConfigured(f"No preset is called {name!r}; known: {', '.join(sorted(presets))}.")
    return build(Preset, {"name": name, **presets[name]}, f"presets.{name}")


def known_presets(own: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {name: {**_SHIPPED.get(name, {}), **own.get(name, {})} for name in _SHIPPED.keys() | own.keys()}
