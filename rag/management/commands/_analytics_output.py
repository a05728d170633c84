"""What `analytics` prints, line by line."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from knowledgetree.console import bar, grouped, number, percent, row
from rag.insight.analytics import Period, Report
from rag.insight.analytics.feedback import Judged
from rag.insight.analytics.figures import Bucket, Figures
from rag.insight.analytics.gaps import Gap
from rag.insight.analytics.spending import ModelSpending

_WIDTH = 88  # characters of a question or a title
_IN_GAP = 3
_FORMATS = {"hour": "D j.m, H:00", "day": "D j.m", "week": gettext_lazy("\\f\\r\\o\\m j.m")}
_UNITS = {
    "hour": gettext_lazy("Questions by the hour"),
    "day": gettext_lazy("Questions by the day"),
    "week": gettext_lazy("Questions by the week"),
}
_MODELS = (-28, 9, 16, 12, 14)  # columns of the table of models


def report_lines(report: Report) -> Iterator[str]:
    yield _("Analysis of questions: %(span)s (%(name)s)") % {"span": _span(report.period), "name": report.period.name}
    yield _("The command has an administrator's rights: it counts and shows questions to all collections.")
    if not report.total.questions:
        yield ""
        yield _("Nothing to show: nobody asked anything in this period.")
        yield _("Ask on the page or through the API, or give a longer period, such as: --last 12w")
        return
    yield from _questions(report)
    yield from _quality(report.total)
    yield from _judged(report.judged)
    yield from _times(report.total)
    yield from _spending(report)
    yield from _asked(report)
    yield from _documents(report)
    yield from _gaps(report)


def _questions(report: Report) -> Iterator[str]:
    total, most = report.total, max(bucket.figures.questions for bucket in report.buckets)
    yield from ("", _("%(by)s (%(n)d in all)") % {"by": _UNITS[report.period.unit], "n": total.questions})
    for bucket in report.buckets:
        count = bucket.figures.questions
        yield f"  {_label(bucket, report.period):<12} {count or '·':>5}  {bar(count, most)}".rstrip()
    if total.direct:
        yield "  " + _("Of these without a search (greetings, sums, about the talk): %(n)d") % {"n": total.direct}


def _quality(total: Figures) -> Iterator[str]:
    shares = total.shares
    yield from ("", _("Quality of the passages found"))
    for name, count, share in (
        (_("high"), total.high, shares["high"]),
        (_("medium"), total.medium, shares["medium"]),
        (_("low"), total.low, shares["low"]),
    ):
        yield f"  {name:<12} {count:>5}  {percent(share):>5}  {bar(share or 0, 1)}".rstrip()
    yield ""
    for name, count, share in (
        (_("Not found in the sources"), total.not_found, shares["not_found"]),
        (_("Not certain, the nearest passages"), total.not_certain, shares["not_certain"]),
        (_("Search corrected"), total.corrected, shares["corrected"]),
        (_("Searched on the web too"), total.web, shares["web"]),
        (_("No word of the question was found"), total.wordless, shares["wordless"]),
        (_("Answer from the cache"), total.cached, shares["cached"]),
    ):
        yield f"  {name:<35} {count:>5}  {percent(share):>5}"


def _judged(judged: Judged) -> Iterator[str]:
    yield from ("", _("Readers' judgements"))
    if not judged.total:
        yield "  " + _("none")
        return
    yield "  " + row((-13, 5, 7), _("helpful"), judged.good, percent(judged.share))
    yield "  " + row((-13, 5), _("unhelpful"), judged.bad)
    for reason, count in judged.reasons:
        yield f"    {reason}: {count}"
    yield "  " + row((-13, 5), _("with a comment"), judged.commented)


def _times(total: Figures) -> Iterator[str]:
    if total.median is not None and total.p95 is not None:
        yield from ("", _("Time of an answer (with those from the cache)"))
        times = {"median": seconds(total.median), "p95": seconds(total.p95)}
        yield "  " + _("median %(median)s, 95%% of questions within %(p95)s") % times


def _spending(report: Report) -> Iterator[str]:
    yield from ("", _("Language models"))
    if not report.models:
        yield "  " + _("were not used")
        return
    yield "  " + row(_MODELS, _("model"), _("questions"), _("tokens in"), _("tokens out"), _("cost"))
    yield from map(_model_line, report.models)
    yield "  " + row(_MODELS, _("in all"), "", "", "", dollars(report.total.cost))
    if not report.total.cost:
        yield "  " + _("A cost of 0 means: the models have no price. Set one in the admin.")
    for title, rows in (
        (_("Cost by assistant, this month"), [(one.name, one) for one in report.assistants]),
        (_("Cost by month"), [(date_format(one.month, "F Y").lower(), one) for one in report.months]),
    ):
        yield "  " + title
        for name, one in rows:
            yield "    " + row((-26, 14, 14), name, grouped(one.tokens), dollars(one.cost))


def _model_line(one: ModelSpending) -> str:
    name = one.model or _("(not recorded)")
    return "  " + row(_MODELS, name, one.questions, grouped(one.input), grouped(one.output), dollars(one.cost))


def _asked(report: Report) -> Iterator[str]:
    yield from ("", _("Questions asked most often"))
    if not report.asked:
        yield "  " + _("none was asked twice")
    for question in report.asked:
        missing = "  " + _("(unanswered: %(n)d)") % {"n": question.not_found} if question.not_found else ""
        yield f"  {question.times:>5}  {_short(question.text)}{missing}"


def _documents(report: Report) -> Iterator[str]:
    citing = report.citing
    counts = {"cited": citing.cited, "all": citing.cited + citing.never}
    yield from ("", _("Documents cited most often (cited: %(cited)d of %(all)d)") % counts)
    if not citing.most:
        yield "  " + _("none of them")
    for document in citing.most:
        yield f"  {document.answers:>5}  {_short(document.title)}"
    if citing.never:
        yield from ("", _("Documents that no answer cited: %(n)d (the oldest)") % {"n": citing.never})
    for document in citing.never_oldest:
        yield f"         {_short(document.title)}"


def _gaps(report: Report) -> Iterator[str]:
    yield from ("", _("Knowledge gaps: unanswered questions by topic (%(n)d)") % {"n": report.gap_count})
    if not report.gaps:
        yield "  " + _("none: every question found an answer")
    for gap in report.gaps:
        yield f"  {gap.times:>5}  {', '.join(gap.subject)}{_how(gap)}"
        for question in gap.questions[:_IN_GAP]:
            yield f"           – {_short(question.text)}{f' (×{question.times})' if question.times > 1 else ''}"
        if (more := len(gap.questions) - _IN_GAP) > 0:
            yield "           " + _("and others: %(n)d") % {"n": more}
    if report.gaps:
        yield "  " + _("Add documents on these topics, or synonyms where documents say it in other words.")


def _how(gap: Gap) -> str:
    weak = gap.times - gap.not_found
    said = _("(not found: %(missing)d, weak sources: %(weak)d)") % {"missing": gap.not_found, "weak": weak}
    return f"  {said}" if weak else ""


def _span(period: Period) -> str:
    form = "j E Y, H:i" if period.unit == "hour" else "j E Y"
    start, end = (date_format(timezone.localtime(moment), form) for moment in (period.start, period.end))
    return _("%(start)s – %(end)s, time of %(zone)s") % {
        "start": start,
        "end": end,
        "zone": timezone.get_current_timezone_name(),
    }


def _label(bucket: Bucket, period: Period) -> str:
    return date_format(bucket.start, str(_FORMATS[period.unit]))


def _short(text: str) -> str:
    return Truncator(text).chars(_WIDTH)


def seconds(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{number(milliseconds / 1000, 1)} s"


def dollars(cost: float) -> str:
    return f"{number(cost, 4)} USD"
