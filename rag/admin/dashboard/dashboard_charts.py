"""The charts of the dashboard, and how its numbers are said in the reader's language."""

from collections.abc import Callable, Sequence

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from rag.admin.dashboard.charts import Axis, Chart, Series, lined, stacked
from rag.insight.analytics import Report
from rag.insight.analytics.figures import Bucket, Figures

_LABELS = {"hour": "H:i", "day": "j.m", "week": "j.m"}


def charts_of(report: Report) -> list[Chart]:
    charts = [_questions(report), _latency(report), _shares(report)]
    return [*charts, _cost(report)] if report.total.cost else charts


def labels_of(report: Report) -> list[str]:
    """Labels of the buckets, as short as an axis needs them."""
    return [date_format(bucket.start, _LABELS[report.period.unit]) for bucket in report.buckets]


def _questions(report: Report) -> Chart:
    series = [
        _series(_("good sources"), "kt-good", report.buckets, lambda one: one.high),
        _series(_("fair sources"), "kt-fair", report.buckets, lambda one: one.medium),
        _series(_("poor sources"), "kt-poor", report.buckets, lambda one: one.low),
        _series(
            _("not searched"), "kt-other", report.buckets, lambda one: one.questions - one.high - one.medium - one.low
        ),
    ]
    axis = Axis(buckets=labels_of(report), words=lambda value: number(value, 0), whole=True)
    description = _("How many questions were asked, by the quality of the passages found for them.")
    return stacked("questions", _("Questions and the quality of their sources"), description, series, axis)


def _latency(report: Report) -> Chart:
    series = [
        _series(_("half of the answers within"), "kt-median", report.buckets, lambda one: one.median),
        _series(_("95% within"), "kt-p95", report.buckets, lambda one: one.p95),
    ]
    axis = Axis(buckets=labels_of(report), words=duration)
    description = _("From the question to the end of its answer, those from the cache among them.")
    return lined("latency", _("Time to the answer"), description, series, axis)


def _shares(report: Report) -> Chart:
    names = [
        ("not_found", _("not found"), "kt-poor"),
        ("corrected", _("search corrected"), "kt-fair"),
        ("wordless", _("no word found"), "kt-p95"),
        ("cached", _("from the cache"), "kt-median"),
    ]
    series = [
        Series(name=name, style=style, values=[bucket.figures.shares[share] for bucket in report.buckets])
        for share, name, style in names
    ]
    axis = Axis(buckets=labels_of(report), words=percent, most=1.0)
    description = _("Shares of the questions that each of these could happen to.")
    return lined("shares", _("What happened to the questions"), description, series, axis)


def _cost(report: Report) -> Chart:
    series = [_series(_("cost"), "kt-median", report.buckets, lambda one: one.cost)]
    axis = Axis(buckets=labels_of(report), words=dollars)
    description = _("What language models cost, in US dollars, by the prices at the time.")
    return stacked("cost", _("Cost of language models"), description, series, axis)


def _series(name: str, style: str, buckets: Sequence[Bucket], value: Callable[[Figures], float | None]) -> Series:
    return Series(name=name, style=style, values=[value(bucket.figures) for bucket in buckets])


def percent(share: float | None) -> str:
    return "–" if share is None else f"{number(100 * share, 0)}\N{NO-BREAK SPACE}%"


def duration(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "–"
    if milliseconds < 1000:
        return f"{number(milliseconds, 0)}\N{NO-BREAK SPACE}ms"
    seconds = milliseconds / 1000
    return f"{number(seconds, 0 if seconds == int(seconds) else 1)}\N{NO-BREAK SPACE}s"


def dollars(cost: float) -> str:
    digits = 0 if cost == int(cost) else 2 if cost >= 0.01 else 4
    return f"{number(cost, digits)}\N{NO-BREAK SPACE}$"


def number(value: float, digits: int) -> str:
    return number_format(round(value, digits), decimal_pos=digits, use_l10n=True, force_grouping=True)
