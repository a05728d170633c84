"""What `analytics` prints, line by line, in Polish."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator

from rag.insight.analytics import Period, Report
from rag.insight.analytics.feedback import Judged
from rag.insight.analytics.figures import Bucket, Figures
from rag.insight.analytics.gaps import Gap
from rag.insight.analytics.spending import ModelSpending
from rag.management.commands._bars import bar

_WIDTH = 88  # characters of a question or a title
_IN_GAP = 3
_FORMATS = {"hour": "D j.m, H:00", "day": "D j.m", "week": "\\o\\d j.m"}
_UNITS = {"hour": "Pytania w kolejnych godzinach", "day": "Pytania w kolejnych dniach", "week": "Pytania w tygodniach"}


def report_lines(report: Report) -> Iterator[str]:
    yield f"Analiza pytań: {_span(report.period)} ({report.period.name})"
    yield "Polecenie działa z prawami administratora: liczy i pokazuje pytania do wszystkich kolekcji."
    if not report.total.questions:
        yield ""
        yield "Brak danych: w tym okresie nikt o nic nie zapytał."
        yield "Zapytaj na stronie rozmowy albo przez API, lub podaj dłuższy okres, na przykład: --last 12w"
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
    yield from ("", f"{_UNITS[report.period.unit]} (razem {total.questions})")
    for bucket in report.buckets:
        count = bucket.figures.questions
        yield f"  {_label(bucket, report.period):<12} {count or '·':>5}  {bar(count, most)}".rstrip()
    if total.direct:
        yield f"  W tym bez szukania (powitania, rachunki, pytania o rozmowę): {total.direct}"


def _quality(total: Figures) -> Iterator[str]:
    shares = total.shares
    yield from ("", "Jakość znalezionych fragmentów")
    for name, count, share in (
        ("wysoka", total.high, shares["high"]),
        ("średnia", total.medium, shares["medium"]),
        ("niska", total.low, shares["low"]),
    ):
        yield f"  {name:<12} {count:>5}  {percent(share):>5}  {bar(share or 0, 1)}".rstrip()
    yield ""
    for name, count, share in (
        ("Nie znaleziono w źródłach", total.not_found, shares["not_found"]),
        ("Bez pewności, najbliższe fragmenty", total.not_certain, shares["not_certain"]),
        ("Wyszukiwanie poprawione", total.corrected, shares["corrected"]),
        ("Szukane też w sieci", total.web, shares["web"]),
        ("Żadne słowo pytania nie trafiło", total.wordless, shares["wordless"]),
        ("Odpowiedź z pamięci podręcznej", total.cached, shares["cached"]),
    ):
        yield f"  {name:<35} {count:>5}  {percent(share):>5}"


def _judged(judged: Judged) -> Iterator[str]:
    yield from ("", "Oceny czytelników")
    if not judged.total:
        yield "  brak"
        return
    yield f"  pomocna      {judged.good:>5}  {percent(judged.share):>5}"
    yield f"  niepomocna   {judged.bad:>5}"
    yield f"  z komentarzem {judged.commented:>4}"


def _times(total: Figures) -> Iterator[str]:
    if total.median is not None and total.p95 is not None:
        yield from ("", "Czas odpowiedzi (z tymi z pamięci podręcznej)")
        yield f"  mediana {seconds(total.median)}, 95 % pytań w {seconds(total.p95)}"


def _spending(report: Report) -> Iterator[str]:
    yield from ("", "Modele językowe")
    if not report.models:
        yield "  nie były używane"
        return
    yield f"  {'model':<28}{'pytania':>9}{'tokeny wejścia':>16}{'wyjścia':>12}{'koszt':>14}"
    yield from map(_model_line, report.models)
    yield f"  {'razem':<28}{'':>37}{dollars(report.total.cost):>14}"
    if not report.total.cost:
        yield "  Koszt 0 znaczy: brak cen w ustawieniach (RAG → llm → prices)."


def _model_line(one: ModelSpending) -> str:
    name = one.model or "(nie zapisano)"
    return f"  {name:<28}{one.questions:>9}{grouped(one.input):>16}{grouped(one.output):>12}{dollars(one.cost):>14}"


def _asked(report: Report) -> Iterator[str]:
    yield from ("", "Najczęściej zadawane pytania")
    if not report.asked:
        yield "  żadne się nie powtórzyło"
    for question in report.asked:
        missing = f"  (bez odpowiedzi: {question.not_found})" if question.not_found else ""
        yield f"  {question.times:>5}  {_short(question.text)}{missing}"


def _documents(report: Report) -> Iterator[str]:
    citing = report.citing
    yield from ("", f"Najczęściej cytowane dokumenty (cytowane: {citing.cited} z {citing.cited + citing.never})")
    if not citing.most:
        yield "  żaden"
    for document in citing.most:
        yield f"  {document.answers:>5}  {_short(document.title)}"
    if citing.never:
        yield from ("", f"Dokumenty, których żadna odpowiedź nie zacytowała: {citing.never} (najstarsze)")
    for document in citing.never_oldest:
        yield f"         {_short(document.title)}"


def _gaps(report: Report) -> Iterator[str]:
    yield from ("", f"Luki w wiedzy: pytania bez odpowiedzi, tematami ({report.gap_count})")
    if not report.gaps:
        yield "  brak: na każde pytanie znalazła się odpowiedź"
    for gap in report.gaps:
        yield f"  {gap.times:>5}  {', '.join(gap.subject)}{_how(gap)}"
        for question in gap.questions[:_IN_GAP]:
            yield f"           – {_short(question.text)}{f' (×{question.times})' if question.times > 1 else ''}"
        if (more := len(gap.questions) - _IN_GAP) > 0:
            yield f"           i inne: {more}"
    if report.gaps:
        yield "  Dodaj dokumenty na te tematy albo synonimy, jeśli dokumenty mówią o tym innymi słowami."


def _how(gap: Gap) -> str:
    weak = gap.times - gap.not_found
    return f"  (nie znaleziono: {gap.not_found}, słabe źródła: {weak})" if weak else ""


def _span(period: Period) -> str:
    start, end = timezone.localtime(period.start), timezone.localtime(period.end)
    form = "j E Y, H:i" if period.unit == "hour" else "j E Y"
    return f"{date_format(start, form)} – {date_format(end, form)}, czas {timezone.get_current_timezone_name()}"


def _label(bucket: Bucket, period: Period) -> str:
    return date_format(bucket.start, _FORMATS[period.unit])


def _short(text: str) -> str:
    return Truncator(text).chars(_WIDTH)


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def seconds(milliseconds: float) -> str:
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s".replace(".", ",")


def dollars(cost: float) -> str:
    return f"{cost:.4f} USD".replace(".", ",")


def grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")
