"""The golden set that a change of the index must not make worse."""

from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.protocols import ActivationGate
from knowledgetree.components import component
from knowledgetree.conf import rag_settings


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
