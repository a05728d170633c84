"""What is asked before the chunking is changed, and what may be done with a change."""

from typing import Any

from django import forms
from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from ingestion.admin.collections.golden_set_form import GoldenSetForm
from ingestion.admin.confirming import Verb
from ingestion.models import Collection, Rechunking
from ingestion.renewal.gate import activation_gate, default_gate
from ingestion.selectors import visible_collections
from ingestion.services import rechunking as services
from ingestion.services.rechunking import Wish
from knowledgetree.conf import rag_settings

_AS_SETTINGS = "-"
_Status = Rechunking.Status


class NewRechunkingForm(GoldenSetForm):
    field_order = ["collections", "chunker", "chunk_size", "overlap", "gate", "margin"]

    collections = forms.ModelMultipleChoiceField(
        label=_("collections"), queryset=Collection.objects.none(), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    chunker = forms.ChoiceField(label=_("chunker"), required=False, widget=UnfoldAdminSelectWidget)
    chunk_size = forms.IntegerField(
        label=_("largest chunk, in tokens"), required=False, widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("A token counts as four characters. Empty: as each collection has it."),
    )  # fmt: skip
    overlap = forms.IntegerField(
        label=_("overlap, in tokens"), required=False, widget=UnfoldAdminIntegerFieldWidget,
        help_text=_("What neighbouring chunks may share. Empty: as each collection has it."),
    )  # fmt: skip

    def __init__(self, *args: Any, viewer: AbstractUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine = visible_collections(viewer)
        chunkers = sorted(rag_settings().components.get("chunkers", {}))
        readable, golden = set(mine.values_list("pk", flat=True)), activation_gate()
        fields: dict[str, Any] = self.fields
        fields["collections"].queryset = mine
        fields["chunker"].choices = [
            ("", _("as each collection has it")),
            (_AS_SETTINGS, _("as the settings say, sizes too")),
            *((name, name) for name in chunkers),
        ]
        fields["gate"].help_text = _(
            "Measured before and after; where it gets worse, the former chunking is put back by itself."
        )
        offered = [gate for gate in golden.known() if golden.collections_of(gate) <= readable]
        self.offer(offered, default=golden.default())

    def clean_gate(self) -> str:
        """Whoever left the default alone did not mean it for collections that it says nothing of."""
        chosen: str = self.cleaned_data["gate"]
        return chosen if "gate" in self.changed_data else default_gate(self.cleaned_data.get("collections", ()))

    def wanted(self) -> dict[str, Any]:
        """The arguments of `start_rechunking`."""
        given = self.cleaned_data
        as_settings = given["chunker"] == _AS_SETTINGS
        wish = Wish(
            chunker="" if as_settings else given["chunker"],
            chunk_size=given["chunk_size"],
            overlap=given["overlap"],
            as_settings=as_settings,
        )
        return {
            "collections": list(given["collections"]),
            "wish": wish,
            "gate": given["gate"],
            "margin": given["margin"],
        }


VERBS = {
    "pause": Verb(
        label=_("Pause"),
        consequence=_("It stops after the current documents. Those that are split anew stay so; all are searched."),
        done=_("Paused."),
        act=services.pause_rechunking,
    ),
    "resume": Verb(
        label=_("Resume"),
        consequence=_("It goes on where it stopped, with what came meanwhile."),
        done=_("Resumed."),
        act=services.resume_rechunking,
    ),
    "roll-back": Verb(
        label=_("Roll the change back"),
        consequence=_("The former chunking is put back, document by document, in the background; all are searched."),
        done=_("The former chunking is being put back."),
        act=services.roll_back_rechunking,
    ),
}


def verbs_of(rechunking: Rechunking) -> list[str]:
    """What may be done with it as it is now."""
    back = [] if rechunking.backwards else ["roll-back"]
    if rechunking.status == _Status.RUNNING:
        return ["resume" if rechunking.error else "pause", *back]
    if rechunking.status in {_Status.PAUSED, _Status.FAILED}:
        return ["resume", *back]
    return back if rechunking.status == _Status.DONE else []
