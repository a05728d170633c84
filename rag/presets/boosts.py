"""How much a passage may be lifted for what it is, besides what it says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import ConfigDict, Field

Lift = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosts:
    """The greatest lift of each kind, in [0, 1], on scores that are brought to [0, 1] within a search; 0: none.

    `similarity` is the weight of that score itself: together they are a mix, such as similarity 0.4, recency 0.2,
    keywords 0.2 and {"application/pdf": 0.2}. `document_type` and `category` lift by media type and by category;
    `alike` lifts a passage that stands for others, `linked` what the graph of names leads to (with a `graph_weight`).
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    similarity: Lift = 1.0
    keywords: Lift = 0.0
    phrase: Lift = 0.0
    intent: Lift = 0.0
    recency: Lift = 0.0
    document_type: Mapping[str, Lift] = field(default_factory=dict)
    category: Mapping[str, Lift] = field(default_factory=dict)
    alike: Lift = 0.05
    linked: Lift = 0.0
