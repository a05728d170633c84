"""What `evaluate` prints, line by line, in Polish."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from rag.evaluation.answers import JUDGE, TOP
from rag.evaluation.measures.latency import PERCENTILES, STAGES, TOTAL, Latency
from rag.evaluation.measures.significance import LEVEL, RESAMPLES, Difference
from rag.evaluation.retrieval import RetrievalReport
from rag.models import EvaluationRun

_STAGES = {
    "analysis": "analiza pytania",
    "lexical": "szukanie po słowach",
    "dense": "szukanie po wektorach",
    "graph": "szukanie po nazwach",
    "transformation": "inne sformułowania",
    "loading": "wczytanie fragmentów",
    "extractors": "drugie odczyty plików",
    "deduplication": "powtórzenia",
    "reranking": "zmiana kolejności",
    "boosts": "wyróżnienia",
    "typed_words": "wpisane słowa",
    "breadth": "grupy dokumentów",
    "relevance": "trafność",
    "explanation": "objaśnienia",
    "neighbours": "sąsiednie fragmenty",
    STAGES: "samo szukanie",
    TOTAL: "razem",
}
MEASURES = {
    "documents_in_top_3": f"Właściwy dokument w pierwszych {TOP}",
    "answers_with_expected_words": "Odpowiedź zawiera oczekiwane słowa",
    "answers_without_refusal": "Bez niesłusznej odmowy",
    "right_refusals": "Słuszna odmowa",
    "correctness": "Poprawność",
    "completeness": "Kompletność",
    "exact_match": "Dokładnie taka jak oczekiwana",
    "relevance": "Na temat pytania",
    "coherence": "Spójność",
    "citation_precision": "Trafność przypisów",
    "citation_recall": "Pokrycie przypisami",
    "without_hallucination": "Twierdzenia bez zmyśleń",
    f"{JUDGE}relevance": "Ocena modelu: na temat",
    f"{JUDGE}correctness": "Ocena modelu: poprawność",
    f"{JUDGE}completeness": "Ocena modelu: kompletność",
    f"{JUDGE}coherence": "Ocena modelu: spójność",
    f"{JUDGE}faithfulness": "Ocena modelu: wierność źródłom",
}
_OPTIONS = {
    "strip_diacritics": "pytania bez polskich znaków",
    "typos": "pytania z literówką",
    "judge": "z oceną modelu",
}


def retrieval_lines(report: RetrievalReport) -> Iterator[str]:
    for measure, mean in report.metrics.items():
        yield f"{measure:<24}{number(mean):>7}"
    asked = len(report.rankings)
    share = number(100 * report.without_lexical_hit / max(1, asked), 1)
    yield f"{'Bez trafienia po słowach':<24} {report.without_lexical_hit} z {asked} pytań ({share}%)"
    yield ""
    yield from latency_lines(report.latency)


def latency_lines(latency: Latency) -> Iterator[str]:
    yield f"{'Czas na pytanie [ms]':<24}" + "".join(f"{f'p{p}':>9}" for p in PERCENTILES)
    for stage, times in latency.items():
        yield f"  {_STAGES.get(stage, stage):<22}" + "".join(f"{number(times[f'p{p}'], 1):>9}" for p in PERCENTILES)


def comparison_lines(earlier: EvaluationRun, run: EvaluationRun, differences: Sequence[Difference]) -> Iterator[str]:
    yield f"Porównanie z przebiegiem {earlier.pk} ({_described(earlier)})"
    if not differences:
        yield "  Oba przebiegi nie mają wspólnych pytań."
        return
    width = max(len(MEASURES.get(item.measure, item.measure)) for item in differences) + 2
    yield f"  {'':<{width}}{'wtedy':>8}{'teraz':>8}{'różnica':>9}{'p':>9}   lepiej / gorzej"
    for item in differences:
        change = f"{item.change:+.3f}".replace(".", ",")
        yield (
            f"  {MEASURES.get(item.measure, item.measure):<{width}}{number(item.before):>8}{number(item.after):>8}"
            f"{change:>9}{number(item.p, 4):>9}{' *' if item.significant else '  '} {item.better} / {item.worse}"
        )
    common = len(earlier.scores.keys() & run.scores.keys())
    yield f"  Wspólnych pytań: {common}. Test permutacyjny par, dwustronny, {RESAMPLES} losowań;"
    yield f"  * różnica istotna (p < {number(LEVEL, 2)}), pozostałe mogą być przypadkiem."


def difference_values(item: Difference) -> dict[str, Any]:
    """A difference as JSON shows it."""
    return {
        "before": round(item.before, 4),
        "after": round(item.after, 4),
        "change": round(item.change, 4),
        "p": round(item.p, 4),
        "significant": item.significant,
        "better": item.better,
        "worse": item.worse,
        "questions": item.questions,
    }


def option_words(options: Mapping[str, Any]) -> str:
    """The degradations and the sample among `options`, in words; empty for none."""
    words = [text for name, text in _OPTIONS.items() if options.get(name)]
    if limit := options.get("limit"):
        words.append(f"próba {limit} pytań")
    return ", ".join(words)


def number(value: float, places: int = 3) -> str:
    return f"{value:.{places}f}".replace(".", ",")


def _described(run: EvaluationRun) -> str:
    parts = [_day(run.created), run.preset, option_words(run.options), run.version]
    return ", ".join(part for part in parts if part)


def _day(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%d.%m.%Y %H:%M")
