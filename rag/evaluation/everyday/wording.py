"""The figures of everyday questions in words: the one table of commands, pages and programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from rag.evaluation.calibration.reliability import BINS, Bin
from rag.evaluation.everyday.changes import OutcomeChange, OutcomeChanges
from rag.evaluation.everyday.outcomes import FAR, NEAR_MISS, SURE, EverydayOutcome, EverydayQuestion
from rag.evaluation.everyday.report import EverydayReport, refused

TOP = 3

KINDS: dict[str, Promise] = {
    "who": pgettext_lazy("kind of question", "who"),
    "when": pgettext_lazy("kind of question", "when, on which day"),
    "hour": pgettext_lazy("kind of question", "at what hour"),
    "how_much": pgettext_lazy("kind of question", "how much money"),
    "how_many": pgettext_lazy("kind of question", "how many, how long"),
    "where": pgettext_lazy("kind of question", "where, which number"),
    "document": pgettext_lazy("kind of question", "which papers"),
    "why": pgettext_lazy("kind of question", "why"),
    "procedure": pgettext_lazy("kind of question", "how to do it"),
    "yes_no": pgettext_lazy("kind of question", "yes or no"),
    "compare": pgettext_lazy("kind of question", "comparison"),
    "definition": pgettext_lazy("kind of question", "what it is"),
    "table": pgettext_lazy("kind of question", "row of a table"),
    "list": pgettext_lazy("kind of question", "list"),
    "two_facts": pgettext_lazy("kind of question", "two things at once"),
    "error": pgettext_lazy("kind of question", "error message"),
    NEAR_MISS: pgettext_lazy("kind of question", "near, without an answer"),
    FAR: pgettext_lazy("kind of question", "far, without an answer"),
    "": pgettext_lazy("kind of question", "others"),
}

OUTCOMES: dict[EverydayOutcome, Promise] = {
    EverydayOutcome.RIGHT: gettext_lazy("right answer"),
    EverydayOutcome.NEAREST: gettext_lazy("not certain, the right document first"),
    EverydayOutcome.DOUBTED: gettext_lazy("not certain, another document first"),
    EverydayOutcome.REFUSED: gettext_lazy("refusal"),
    EverydayOutcome.WRONG: gettext_lazy("wrong answer"),
    EverydayOutcome.SURE_WRONG: gettext_lazy("wrong answer, shown as certain"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EverydayFigure:
    """`name` and `meaning` are for people, `code` for programs; `value` is in [0, 1], `count` of `total` where it is a
    share; None: there is nothing that it could be told of.
    """

    code: str
    name: str
    meaning: str
    value: float | None
    count: int | None = None
    total: int | None = None


def everyday_figures(report: EverydayReport) -> list[EverydayFigure]:
    """Shares of nothing are left out."""
    shares = [*_answers(report), *_refusals(report), *_mistakes(report)]
    return [*(one for one in shares if one.total), *_confidence(report), *(one for one in _search(report) if one.total)]


def kind_word(kind: str) -> str:
    """The kind itself where it has no words."""
    return str(KINDS.get(kind, kind))


def kind_headings() -> tuple[str, ...]:
    """Those of `kind_counts`, then of the answers' mean confidence and of the share of them that is right."""
    return (
        pgettext("everyday questions", "asked"),
        pgettext("everyday questions", "right"),
        pgettext("everyday questions", "not certain"),
        pgettext("everyday questions", "refused"),
        pgettext("everyday questions", "answered"),
        *_shares(),
    )


def kind_counts(part: EverydayReport) -> tuple[int | str, ...]:
    """Asked, right, not certain, refused and answered; where no answer can be right, there is none to count."""
    asked, given, refusals = len(part.asked), len(part.answered), refused(part.asked)
    right = part.count(EverydayOutcome.RIGHT) if part.answerable else "–"
    return asked, right, asked - given - refusals, refusals, given


def bin_headings() -> tuple[str, ...]:
    """Those of a table of answers by confidence."""
    return (_("Confidence shown"), pgettext("everyday questions", "answered"), *_shares())


def bin_word(part: Bin) -> str:
    """Its range, as "60–70%"."""
    low = min(9, int(part.chance * BINS)) * 100 // BINS
    return f"{low}–{low + 100 // BINS}%"


def change_values(one: OutcomeChange) -> dict[str, Any]:
    """A change as JSON shows it."""
    return {"question": one.key, "before": one.before.value, "after": one.after.value}


def everyday_values(report: EverydayReport, changes: OutcomeChanges | None) -> dict[str, Any]:
    """All of it as JSON shows it."""
    content: dict[str, Any] = {
        "figures": {one.code: _rounded(one.value) for one in everyday_figures(report)},
        "kinds": {kind: _kind_values(part) for kind, part in report.kinds.items()},
        "reliability": [
            {"confidence": _rounded(one.chance), "right": _rounded(one.share), "answers": answers_in(one.mass, report)}
            for one in report.bins
        ],
    }
    if changes:
        content["worse"] = [change_values(one) for one in changes.worse]
        content["better"] = [change_values(one) for one in changes.better]
    return content


def answers_in(mass: float, report: EverydayReport) -> int:
    """How many answers a bin of this mass holds."""
    return round(mass * len(report.answered))


def _kind_values(report: EverydayReport) -> dict[str, Any]:
    return {
        "asked": len(report.asked),
        "right": report.count(EverydayOutcome.RIGHT),
        "refused": refused(report.asked),
        "answered": len(report.answered),
        "confidence": _rounded(report.mean_confidence),
        "share_right": _rounded(report.share_right),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _shares() -> tuple[str, str]:
    return pgettext("everyday questions", "confidence"), pgettext("everyday questions", "right of these")


def _share(code: str, name: str, meaning: str, count: int, among: Sequence[EverydayQuestion]) -> EverydayFigure:
    total = len(among)
    return EverydayFigure(
        code=code, name=name, meaning=meaning, value=count / total if total else None, count=count, total=total
    )


def _answers(report: EverydayReport) -> Iterator[EverydayFigure]:
    asked, outcome = report.answerable, EverydayOutcome
    nearest = report.count(outcome.NEAREST)
    yield _share(
        "right",
        _("Right answers"),
        _("all that the answer must contain stands in it"),
        report.count(outcome.RIGHT),
        asked,
    )
    yield _share(
        "refused_though_answerable",
        _("Refused without need"),
        _("“not found”, though a document answers; fewer is better"),
        report.count(outcome.REFUSED),
        asked,
    )
    half = _("the nearest passages instead of an answer; the right document first: %(n)d, which counts half")
    yield _share("not_certain", _("Not certain"), half % {"n": nearest}, len(report.uncertain), asked)


def _refusals(report: EverydayReport) -> Iterator[EverydayFigure]:
    words = {
        NEAR_MISS: (_("Refused rightly, near misses"), _("the subject is there, but no document says this")),
        FAR: (_("Refused rightly, far questions"), _("about something else altogether")),
    }
    other = (_("Refused rightly"), _("no document answers"))
    for kind, asked in report.unanswerable.items():
        name, meaning = words.get(kind, other)
        code = f"refused_rightly_{kind}" if kind in words else "refused_rightly"
        yield _share(code, name, meaning, refused(asked), asked)


def _mistakes(report: EverydayReport) -> Iterator[EverydayFigure]:
    answered = report.answered
    wrong = [question for question in answered if not question.right]
    sure = [question for question in wrong if question.outcome == EverydayOutcome.SURE_WRONG]
    missing = _("of the answers given; something is missing in them, or there was nothing to answer; fewer is better")
    yield _share("wrong_of_answered", _("Wrong answers"), missing, len(wrong), answered)
    harm = _("of the answers given; wrong, with a confidence of %(sure)d%% or more: these mislead most") % {
        "sure": round(100 * SURE)
    }
    yield _share("wrong_though_sure", _("Wrong though certain"), harm, len(sure), answered)


def _confidence(report: EverydayReport) -> Iterator[EverydayFigure]:
    yield EverydayFigure(
        code="auc_of_confidence",
        name=_("Confidence knows right from wrong"),
        meaning=_("how often a right answer has more confidence than a wrong one; 0.5 is chance, 1 is always"),
        value=report.auc,
    )
    yield EverydayFigure(
        code="calibration_error",
        name=_("Confidence is wrong by"),
        meaning=_("the confidence shown against how many of the answers are right; 0 is best"),
        value=report.calibration_error,
    )


def _search(report: EverydayReport) -> Iterator[EverydayFigure]:
    yield _share(
        "document_first",
        _("Right document first"),
        _("the search alone: the first document found is one that answers"),
        report.in_first(1),
        report.placed,
    )
    yield _share(
        "document_in_top_3",
        _("Right document among three"),
        _("one of the first %(n)d documents found answers") % {"n": TOP},
        report.in_first(TOP),
        report.placed,
    )
