"""Open knowledge gaps as a list of work for others: CSV for a spreadsheet, Markdown for a document."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record
from knowledgetree.csv_files import BYTE_ORDER_MARK, csv_line
from rag.admin.gaps.gaps import check_view
from rag.insight.analytics.inbox import InboxGap, covered, open_gaps

_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})


@require_safe
@never_cache
def export_view(request: HttpRequest) -> HttpResponse:
    """New gaps and those in work, as `format` csv or md; personal data are covered for everyone: the file travels."""
    check_view(request)
    record(AuditEntry.Action.EXPORT, subject=Subject(kind="rag.knowledgegap"))
    gaps = [covered(gap) for gap in open_gaps(request.user)]
    subject = _("knowledge-gaps")
    name = f"{subject}-{timezone.localdate():%Y-%m-%d}"
    if request.GET.get("format") == "md":
        return _file(_markdown(gaps), f"{name}.md", "text/markdown; charset=utf-8")
    return _file(_csv(gaps), f"{name}.csv", "text/csv; charset=utf-8")


def _file(text: str, name: str, content_type: str) -> HttpResponse:
    return HttpResponse(
        text, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _csv(gaps: Iterable[InboxGap]) -> str:
    names = [
        _("number"), _("question"), _("status"), _("how often"), _("people"), _("last asked"), _("assigned to"),
        _("task"),
    ]  # fmt: skip
    return BYTE_ORDER_MARK + csv_line(names) + "".join(map(_csv_line, gaps))


def _csv_line(one: InboxGap) -> str:
    last = f"{timezone.localtime(one.last):%Y-%m-%d %H:%M}"
    status = one.gap.get_status_display()
    return csv_line([one.gap.pk, one.name, status, one.times, one.people, last, _assignee(one), one.task])


def _markdown(gaps: Iterable[InboxGap]) -> str:
    lines = ["# " + _("Knowledge gaps"), ""]
    for one in gaps:
        times = ngettext("asked %(n)d time", "asked %(n)d times", one.times) % {"n": one.times}
        last = _("last on %(day)s") % {"day": date_format(timezone.localtime(one.last), "j E Y")}
        who = f"; {_plain(_assignee(one))}" if _assignee(one) else ""
        lines.append(f"- [ ] **{_plain(one.name)}** ({times}, {last}{who})")
        lines.extend(f"  {_plain(line)}" for line in one.task.splitlines() if line.strip())
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return " ".join(text.split()).translate(_SPECIAL)


def _assignee(one: InboxGap) -> str:
    return str(one.gap.assignee.get_full_name() or one.gap.assignee) if one.gap.assignee else ""
