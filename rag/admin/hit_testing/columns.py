"""What a column of the hit-testing page shows: passages with their marks, times, and what the stages did."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.models import Document
from ingestion.selectors import readable_documents
from rag.evaluation.labels import STAGES, label
from rag.evaluation.measures.ranking import score_rankings
from rag.models import EvaluationDataset
from rag.presets import Preset
from rag.search.links import address_of
from rag.selectors import may_mark
from rag.services.hit_testing import Placing, Tried, placings
from rag.services.judging import NOT_RELEVANT, PARTLY, RELEVANT, accepted_collections

MEASURES = ("nDCG@10", "MRR@10", "Recall@5", "Recall@20")
MARKS = (
    (RELEVANT, gettext_lazy("Relevant")),
    (PARTLY, gettext_lazy("Partly")),
    (NOT_RELEVANT, gettext_lazy("Not relevant")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HitRow:
    """A passage. `grade` is its document's, 0: none. `marks` (grade, label, chosen) are empty where nobody may."""

    placing: Placing
    anchor: str
    address: str
    grade: int
    marks: tuple[tuple[int, str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """`documents` are the URIs found, best first, each once; `stages` (name, ms); `trace` (name, did, why)."""

    tried: Tried
    rows: tuple[HitRow, ...]
    documents: tuple[str, ...]
    stages: tuple[tuple[str, float], ...]
    trace: tuple[tuple[str, bool, str], ...]


def column_of(
    tried: Tried | None,
    other: Tried | None,
    *,
    prefix: str,
    dataset: EvaluationDataset | None,
    grades: Mapping[str, int],
    user: User | AnonymousUser,
) -> Column | None:
    """`grades`: {URI: grade} of the question in the set. Only documents that `user` may read can be marked."""
    if tried is None:
        return None
    ids = {passage.document_id for passage in tried.result.passages}
    found = {document.pk: document for document in readable_documents(user).filter(pk__in=ids)}
    accepted = _accepted(dataset, user)
    rows = (
        _row(placing, f"{prefix}-{placing.passage.chunk_id}", found.get(placing.passage.document_id), accepted, grades)
        for placing in placings(tried, other)
    )
    uris = dict(Document.objects.filter(pk__in=ids).values_list("pk", "uri"))  # those of passages may be masked
    return Column(
        tried=tried,
        rows=tuple(rows),
        documents=tuple(dict.fromkeys(uris.get(passage.document_id, "") for passage in tried.result.passages)),
        stages=tuple((label(STAGES, name), spent) for name, spent in tried.result.latency.items()),
        trace=tuple((label(STAGES, entry.stage), entry.applied, entry.reason) for entry in tried.result.trace),
    )


def measured(
    grades: Mapping[str, int], columns: Sequence[Column | None]
) -> list[tuple[str, list[float | None], float | None]]:
    """(measure, its value in each column, the second less the first) for a question with these judgements."""
    scores = [score_rankings({"": grades}, {"": column.documents}).get("", {}) if column else {} for column in columns]
    rows = []
    for measure in MEASURES:
        values = [one.get(measure) for one in scores]
        first, last = values[0], values[-1]
        rows.append((measure, values, last - first if first is not None and last is not None else None))
    return rows


def parts_that_differ(one: Preset, another: Preset) -> list[tuple[str, str, str]]:
    """(part, its value in `one`, in `another`) for the page; a part of parts by itself."""
    first, second = _flat(one), _flat(another)
    return [(name, _shown(first[name]), _shown(second[name])) for name in first if first[name] != second.get(name)]


def _flat(preset: Preset) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in asdict(preset).items():
        if is_dataclass(getattr(preset, name)):
            flat |= {f"{name}.{inner}": inner_value for inner, inner_value in value.items()}
        else:
            flat[name] = value
    return flat


def _shown(value: Any) -> str:
    if value is None or value == "":
        return _("chosen by itself")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value)


def _accepted(dataset: EvaluationDataset | None, user: User | AnonymousUser) -> set[int]:
    if dataset is None or not may_mark(user):
        return set()
    return set(accepted_collections(dataset).values_list("pk", flat=True))


def _row(
    placing: Placing, anchor: str, document: Document | None, accepted: set[int], grades: Mapping[str, int]
) -> HitRow:
    grade = grades.get(document.uri, 0) if document else 0
    markable = document is not None and document.collection_id in accepted
    return HitRow(
        placing=placing,
        anchor=anchor,
        address=address_of(placing.passage),
        grade=grade,
        marks=tuple((value, str(words), 0 < value == grade) for value, words in MARKS) if markable else (),
    )
