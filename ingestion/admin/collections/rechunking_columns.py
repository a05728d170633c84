"""The cells of a change of chunking; some of them change while it runs."""

from django.contrib import admin
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.labels import Colour, coloured, moment
from ingestion.models import Rechunking
from ingestion.renewal.rechunking.state import part_states, rechunking_state

COLOURS: dict[str, Colour] = {
    "running": "info",
    "paused": "warning",
    "failed": "danger",
    "done": "success",
    "rolled_back": "default",
}


@admin.display(description=_("what changes"))
def changes(rechunking: Rechunking) -> SafeString:
    return render_to_string("admin/ingestion/rechunking/changes.html", {"parts": part_states(rechunking)})


@admin.display(description=_("status"), ordering="status")
def status_label(rechunking: Rechunking) -> SafeString:
    if rechunking.status == Rechunking.Status.RUNNING and rechunking.backwards:
        return coloured(gettext("on its way back"), "warning")
    return coloured(rechunking.get_status_display(), COLOURS[rechunking.status])


@admin.display(description=_("documents"))
def progress(rechunking: Rechunking) -> SafeString:
    return render_to_string("admin/ingestion/rechunking/progress.html", {"state": rechunking_state(rechunking)})


@admin.display(description=_("estimated end"))
def ends(rechunking: Rechunking) -> str:
    return moment(rechunking_state(rechunking).ends)


@admin.display(description=_("what to know"))
def notes(rechunking: Rechunking) -> SafeString:
    return render_to_string("admin/ingestion/rechunking/notes.html", {"rechunking": rechunking})


LIVE = (status_label, progress, ends, notes)
