"""The cells of an embedding space that change while it is filled."""

from django.contrib import admin
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ingestion.admin.labels import Colour, coloured, moment
from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.reembedding.state import space_state

COLOURS: dict[str, Colour] = {"building": "info", "active": "success", "retired": "default"}


@admin.display(description=_("status"), ordering="status")
def status_label(space: EmbeddingSpace) -> SafeString:
    if space.paused:
        return coloured(gettext("paused"), "warning")
    if space.activate_when_full:
        return coloured(gettext("being built, then activated"), "info")
    return coloured(space.get_status_display(), COLOURS[space.status])


@admin.display(description=_("chunks with vectors"))
def progress(space: EmbeddingSpace) -> SafeString:
    state = space_state(space)
    running = state.job is not None and state.job.status in (Job.Status.QUEUED, Job.Status.RUNNING)
    context = {"state": state, "running": running and not space.paused}
    return render_to_string("admin/ingestion/embeddingspace/progress.html", context)


@admin.display(description=_("estimated end"))
def ends(space: EmbeddingSpace) -> str:
    return moment(space_state(space).ends)


@admin.display(description=_("error and what to do"))
def failure(space: EmbeddingSpace) -> SafeString:
    return render_to_string("admin/ingestion/failure.html", {"message": space.error})


LIVE = (status_label, progress, ends, failure)
