"""The golden set that a change of the index must not make worse."""

from collections.abc import Sequence
from typing import Protocol

from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.types import Progress
from knowledgetree.components import component
from knowledgetree.conf import rag_settings


class ActivationGate(Protocol):
    """Decides whether an embedding space, named by its key, may take the place of another; measures what serves now."""

    def known(self) -> Sequence[str]:
        """The names of the golden sets that can be measured."""

    def check(self, dataset: str, *, active: int, candidate: int, margin: float, progress: Progress) -> None:
        """Measure the golden set `dataset` in both; raises ActivationRefused, saying by how much it got worse."""

    def measure(self, dataset: str, *, progress: Progress) -> float:
        """The mean nDCG@10 of `dataset` in the active space; raises ActivationRefused where there is none."""

    def collection_of(self, dataset: str) -> int | None:
        """The key of the collection that `dataset` is measured in; None where it is not known."""


def activation_gate() -> ActivationGate:
    gate: ActivationGate = component("gates", rag_settings().reembedding.gate)
    return gate


def check_gate(name: str, *, refusal: type[IngestionError]) -> None:
    """Raises `refusal` for a golden set that is not there; "" asks for none."""
    if name and name not in (known := activation_gate().known()):
        raise refusal(
            _("There is no golden set called %(name)s.") % {"name": name},
            remedy=_("Known: %(names)s.") % {"names": ", ".join(known) or "–"},
        )
