"""What `evaluate` prints of everyday questions: figures with their meaning, by kind, by confidence; what changed."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from knowledgetree.console import number, row
from rag.evaluation.everyday.changes import OutcomeChange, OutcomeChanges
from rag.evaluation.everyday.report import EverydayReport
from rag.evaluation.everyday.wording import (
    OUTCOMES,
    EverydayFigure,
    answers_in,
    bin_headings,
    bin_word,
    everyday_figures,
    kind_counts,
    kind_headings,
    kind_word,
)
from rag.models import EvaluationRun

_WIDTH = 110
_MEANS = 58
"""Where the words begin that say what a figure means."""
_KINDS = (-30, 8, 9, 13, 9, 12, 12, 17)
_BINS = (-20, 12, 16, 16)
_NAMED = 20
"""Changed questions that are named; a page of the admin names all."""


def everyday_lines(report: EverydayReport) -> Iterator[str]:
    """The figures, each with its meaning, then a table by kind and one by confidence."""
    for figure in everyday_figures(report):
        yield from _figure_lines(figure)
    if report.kinds:
        yield ""
        yield from _kind_lines(report)
    if report.answered:
        yield ""
        yield from _bin_lines(report)


def change_lines(changes: OutcomeChanges, earlier: EvaluationRun, texts: Mapping[str, str]) -> Iterator[str]:
    """The questions that got worse since `earlier`, and those that got better; `texts` by identifier."""
    since = {"number": earlier.pk, "n": changes.common}
    if not changes.worse and not changes.better:
        yield _("Since run %(number)d no question got worse or better (%(n)d in common).") % since
        return
    worse = _("Worse than in run %(number)d: %(count)d of %(n)d questions.")
    yield from _changed_lines(worse % {**since, "count": len(changes.worse)}, changes.worse, texts)
    better = _("Better than in run %(number)d: %(count)d of %(n)d questions.")
    yield from _changed_lines(better % {**since, "count": len(changes.better)}, changes.better, texts)


def _figure_lines(figure: EverydayFigure) -> Iterator[str]:
    first, *rest = wrap(figure.meaning, _WIDTH - _MEANS)
    yield row((-40, -18, 0), figure.name, _value(figure), first).rstrip()
    yield from (" " * _MEANS + line for line in rest)


def _value(figure: EverydayFigure) -> str:
    if figure.value is None:
        return "–"
    if figure.total is None:
        return number(figure.value, 2)
    share = {"count": figure.count, "total": figure.total, "share": round(100 * figure.value)}
    return _("%(count)d of %(total)d (%(share)d%%)") % share


def _kind_lines(report: EverydayReport) -> Iterator[str]:
    yield row(_KINDS, _("What is asked for"), *kind_headings())
    for kind, part in report.kinds.items():
        shares = (_percent(part.mean_confidence), _percent(part.share_right))
        yield row(_KINDS, f"  {kind_word(kind)}", *kind_counts(part), *shares)


def _bin_lines(report: EverydayReport) -> Iterator[str]:
    yield row(_BINS, *bin_headings())
    for part in report.bins:
        cells = (answers_in(part.mass, report), _percent(part.chance), _percent(part.share))
        yield row(_BINS, f"  {bin_word(part)}", *cells)


def _changed_lines(heading: str, changed: Sequence[OutcomeChange], texts: Mapping[str, str]) -> Iterator[str]:
    yield heading
    for one in changed[:_NAMED]:
        yield f"  {one.key}  {texts.get(one.key, '')}"
        yield f"      {OUTCOMES[one.before]} → {OUTCOMES[one.after]}"
    if (more := len(changed) - _NAMED) > 0:
        yield "  " + ngettext("and %(n)d more", "and %(n)d more", more) % {"n": more}


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{round(100 * value)}%"
