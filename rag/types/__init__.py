"""The values on a question's way to its answer. Everything is frozen; a change is `dataclasses.replace`."""

from rag.types.answers import Answer, Citation, Definition, Metrics, Notice, Outcome, RelatedDocument
from rag.types.dialogue import Located, Message, ModelTurn, QuotableSource, ToolCall, ToolResult, ToolSpec
from rag.types.lookups import NearSection, SearchedWord
from rag.types.passage_records import PassageRecord, as_kept, found_at, from_kept, place_of
from rag.types.passages import Boost, Explanation, FusionMethod, Passage, Place, Substitute, SubstituteOrigin, WordMatch
from rag.types.plain import as_json
from rag.types.searching import Correction, Filters, QuestionAnalysis, SearchResult, Tokens, TraceEntry
from rag.types.steps import Step, StepKind, StepStatus
from rag.types.verification import (
    CheckedClaim,
    ConfidencePart,
    Contradiction,
    Problem,
    ProblemKind,
    Quality,
    ResponseCheck,
    Statement,
    Verdict,
    Verification,
)

__all__ = [
    "Answer",
    "Boost",
    "CheckedClaim",
    "Citation",
    "ConfidencePart",
    "Contradiction",
    "Correction",
    "Definition",
    "Explanation",
    "Filters",
    "FusionMethod",
    "Located",
    "Message",
    "Metrics",
    "ModelTurn",
    "NearSection",
    "Notice",
    "Outcome",
    "Passage",
    "PassageRecord",
    "Place",
    "Problem",
    "ProblemKind",
    "Quality",
    "QuestionAnalysis",
    "QuotableSource",
    "RelatedDocument",
    "ResponseCheck",
    "SearchResult",
    "SearchedWord",
    "Statement",
    "Step",
    "StepKind",
    "StepStatus",
    "Substitute",
    "SubstituteOrigin",
    "Tokens",
    "ToolCall",
    "ToolResult",
    "ToolSpec",
    "TraceEntry",
    "Verdict",
    "Verification",
    "WordMatch",
    "as_json",
    "as_kept",
    "found_at",
    "from_kept",
    "place_of",
]
