"""The golden set that a change of the index must not make worse."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.models import Collection
from ingestion.types import Progress
from knowledgetree.components import component
from knowledgetree.conf import rag_settings


class ActivationGate(Protocol):
    """Decides whether an embedding space, named by its key, may take the place of another; measures what serves now."""

    def known(self) -> Sequence[str]:
        """The names of the golden sets that can be measured."""

    def default(self) -> str:
        """The one of these that judges where nobody says otherwise; "" where it cannot be measured here."""

    def check(self, dataset: str, *, active: int, candidate: int, margin: float, progress: Progress) -> None:
        """Measure the golden set `dataset` in both; raises ActivationRefused, saying by how much it got worse."""

    def measure(self, dataset: str, *, progress: Progress) -> float:
        """The mean nDCG@10 of `dataset` in the active space; raises ActivationRefused where there is none."""

    def collections_of(self, dataset: str) -> frozenset[int]:
        """The keys of the collections that `dataset` is about; none where it is not known."""


def activation_gate() -> ActivationGate:
    gate: ActivationGate = component("gates", rag_settings().reembedding.gate)
    return gate


def default_gate(collections: Iterable[Collection] | None = None) -> str:
    """The golden set that judges where none was named; "" where it is about none of `collections`, or is not there."""
    gate = activation_gate()
    name = gate.default()
    if not name or collections is None:
        return name
    return "" if gate.collections_of(name).isdisjoint(collection.pk for collection in collections) else name


def check_gate(name: str, *, refusal: type[IngestionError]) -> None:
    """Raises `refusal` for a golden set that is not there; "" asks for none."""
    if name and name not in (known := activation_gate().known()):
        raise refusal(
            _("There is no golden set called %(name)s.") % {"name": name},
            remedy=_("Known: %(names)s.") % {"names": ", ".join(known) or "–"},
        )
