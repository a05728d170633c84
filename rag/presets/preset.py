"""What a preset is made of. Presets come from settings and from administrators, so every value is checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from rag.presets.boosts import Boosts
from rag.types import FusionMethod

Share = Annotated[float, Field(ge=0, le=1)]
Passages = Annotated[int, Field(ge=1, le=200)]
Transformation = Literal["multi_query", "hyde", "decomposition"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """`fusion`, `dense_weight` and `reranker` None: those that suit the active embedding space.

    `communities`: how far a broad question lifts documents of the groups that its best ones are in, 0: not at all.
    `*_limit` are passages a search contributes, `*_weight` shares in [0, 1]. `sentences` searches the vectors of single
    sentences too, where the space has them. At most `rerank_limit` passages are reranked, within `rerank_seconds`;
    where `rerank_when` is "uncertain", only if the fused order is in doubt. `lexicon_weight`: what other words from the
    lexicon keep of their weight. `second_weight`: of passages that a second extractor read, against the documents' own
    texts. Passages alike above `alike_above` stand for each other (1: none do); `boosts` lift passages for what they
    are; `neighbours` chunks on either side extend a passage. `transformations` are other wordings of the question that
    a language model adds. `correction`: a poor search is repeated or widened. `glossary`: words of the question that it
    explains are shown with the answer and told to a model. `related`: how many documents that are not cited are named
    beside the answer. `research`: the question is answered in several steps, the last of which begins within
    `research_seconds`, in `research_queries` searches (None: as the settings say). `critique`: a language model reads
    its draft for what it leaves unanswered, which is searched. `verification` "llm" asks a language model about claims
    on which rules cannot decide. `model` and `source_tokens` (of the passages in the prompt) None: those of the
    settings. Where no model writes the answer, nothing is found where no passage is as relevant as `min_relevance` or
    the chance that they answer is below `least_answerable`; it is given as an answer where its confidence is at least
    `certain_confidence`.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    name: str
    lexical_limit: Passages = 50
    dense_limit: Passages = 20
    graph_limit: Passages = 20
    fusion: FusionMethod | None = None
    dense_weight: Share | None = None
    graph_weight: Share = 0.0
    lexicon_weight: Share = 1.0
    sentences: bool = False
    transformations: Sequence[Transformation] = ()
    reranker: str | None = None
    rerank_limit: Passages = 100
    rerank_seconds: Annotated[float, Field(gt=0, le=60)] = 2.0
    rerank_when: Literal["always", "uncertain"] = "always"
    second_weight: Share = 0.45
    alike_above: Share = 1.0
    boosts: Boosts = field(default_factory=Boosts)
    communities: Share = 0.0
    neighbours: Annotated[int, Field(ge=0, le=5)] = 0
    correction: bool = True
    glossary: bool = True
    related: Annotated[int, Field(ge=0, le=5)] = 3
    research: Literal["off", "planned", "agentic"] = "off"
    research_seconds: Annotated[float, Field(gt=0, le=600)] | None = None
    research_queries: Annotated[int, Field(ge=1, le=50)] | None = None
    synthesizer: Literal["extractive", "compact", "refine", "tree_summarize"] = "extractive"
    critique: bool = False
    verification: Literal["rules", "llm"] = "rules"
    model: str | None = None
    source_tokens: Annotated[int, Field(ge=200, le=100_000)] | None = None
    min_relevance: Share = 0.0
    least_answerable: Share = 0.53
    certain_confidence: Share = 0.15

    @property
    def asks_model(self) -> bool:
        """Whether a language model takes part; where none does, no step may ask one."""
        return self.synthesizer != "extractive" or self.search_asks_model

    @property
    def search_asks_model(self) -> bool:
        return bool(self.transformations) or self.reranker == "llm"


_adapter = TypeAdapter(Preset)


def checked_preset(name: str, parts: Mapping[str, Any]) -> Preset:
    """A preset of these parts. Raises ImproperlyConfigured, naming each part that is unknown or has a wrong value."""
    try:
        return _adapter.validate_python({**parts, "name": name})
    except ValidationError as error:
        raise ImproperlyConfigured(" ".join(_complaint(name, wrong) for wrong in error.errors())) from error


def _complaint(name: str, wrong: Any) -> str:
    values = {"preset": name, "part": ".".join(map(str, wrong["loc"])), "value": wrong["input"], "why": wrong["msg"]}
    if wrong["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        whole = Boosts if wrong["loc"][0] == "boosts" and len(wrong["loc"]) > 1 else Preset
        known = ", ".join(sorted(set(whole.__dataclass_fields__) - {"name"}))
        return _("Preset %(preset)s: there is no part %(part)s; known: %(known)s.") % {**values, "known": known}
    return _("Preset %(preset)s: %(part)s cannot be “%(value)s” (%(why)s).") % values
