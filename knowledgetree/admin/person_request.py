"""What there is on somebody, for a superuser who answers their request."""

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods
from unfold.widgets import UnfoldAdminTextareaWidget

from ingestion.models.viewers import is_superuser
from ingestion.text.personal_data.mentions import UnusableMention, mention_pattern
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record_strictly
from knowledgetree.privacy.inspection import backups_in_words
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.privacy.traces import MOST, PLACES, traces_of

_MOST_SAID = 10


class PersonForm(forms.Form):
    """What somebody is known by, a line each."""

    said = forms.CharField(
        label=gettext_lazy("Names, numbers, e-mail addresses"),
        help_text=gettext_lazy("One in a line: “Jan Kowalski”, a PESEL, a telephone. Names are found in every case."),
        max_length=1000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
    )

    def clean_said(self) -> list[str]:
        lines = [line for line in map(str.strip, self.cleaned_data["said"].splitlines()) if line]
        if len(lines) > _MOST_SAID:
            raise ValidationError(_("At most %(n)d lines.") % {"n": _MOST_SAID})
        for line in lines:
            try:
                mention_pattern(line)
            except UnusableMention as error:
                raise ValidationError(
                    _("“%(said)s” would be found everywhere: enter a name, five digits or an e-mail address.")
                    % {"said": line}
                ) from error
        return lines


@require_http_methods(["GET", "POST"])
def person_view(request: HttpRequest) -> HttpResponse:
    """Recorded without the words: the request itself is nobody's business but theirs."""
    if not is_superuser(request.user):
        raise PermissionDenied
    form = PersonForm(request.POST or None)
    found = None
    if form.is_valid():
        found = traces_of(form.cleaned_data["said"])
        subject = Subject(kind=ProcessingRecord._meta.label_lower)
        details = {"things": sum(traces.things for traces in found)}
        record_strictly(AuditEntry.Action.SEARCH, subject=subject, details=details)
    context = {
        **admin.site.each_context(request),
        "title": _("What there is on a person"),
        "form": form,
        "found": found,
        "most": MOST,
        "looked_at": [place.name for place in PLACES],
        "backups": backups_in_words(),
    }
    return TemplateResponse(request, "admin/privacy/person.html", context)
