"""What happened in this process since it started, for Prometheus. No question, no document, no reader in a label.

With several processes behind one address set PROMETHEUS_MULTIPROC_DIR to an empty folder before they start: the library
then keeps the numbers there, and whichever process is asked adds up all of them. See docs/adr/0021-metrics.md.
"""

from prometheus_client import Counter, Histogram, disable_created_metrics

from rag.types import Answer, Metrics

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

# A line more for every number, which nothing here reads.
disable_created_metrics()  # type: ignore[no-untyped-call]

QUESTIONS = Counter(
    "knowledgetree_questions", "Questions answered; quality is empty where it was not graded.",
    ["outcome", "quality", "preset"],
)  # fmt: skip
STAGES = Histogram(
    "knowledgetree_question_stage_seconds", "Time of a question by stage, `total` for all of it.", ["stage"],
    buckets=_SECONDS,
)  # fmt: skip
SEARCHES = Counter("knowledgetree_searches", "Questions that were searched for, not answered from a cache.")
CORRECTED = Counter("knowledgetree_searches_corrected", "Searches repeated or widened because they were poor.")
WEB = Counter("knowledgetree_searches_web", "Searches that were widened to the web.")
WORDLESS = Counter(
    "knowledgetree_searches_without_lexical_hit", "Searches where no passage had a word of the question."
)
CACHED = Counter("knowledgetree_cache_hits", "Questions answered from a cache.", ["cache"])
TOKENS = Counter("knowledgetree_llm_tokens", "Tokens of language models.", ["model", "step", "kind"])
COST = Counter("knowledgetree_llm_cost_dollars", "Cost of language models by the price table.", ["model", "step"])
LLM_FAILURES = Counter("knowledgetree_llm_failures", "Requests to a language model that failed.", ["code"])


def count_answer(answer: Answer) -> None:
    """A question that a reader asked. What measurements ask is not counted."""
    metrics = answer.metrics
    QUESTIONS.labels(answer.outcome, answer.quality, metrics.preset).inc()
    for stage, milliseconds in metrics.latency.items():
        STAGES.labels(stage).observe(milliseconds / 1000)
    if metrics.cache:
        CACHED.labels(metrics.cache).inc()
    elif answer.outcome != "direct":
        _count_search(metrics)
    _count_models(metrics)


def _count_search(metrics: Metrics) -> None:
    SEARCHES.inc()
    CORRECTED.inc(metrics.corrected)
    WEB.inc(metrics.web_fallback)
    WORDLESS.inc(metrics.lexical_hits == 0)


def _count_models(metrics: Metrics) -> None:
    for step, tokens in metrics.usage.items():
        model = metrics.models.get(step, "")
        TOKENS.labels(model, step, "input").inc(tokens.input)
        TOKENS.labels(model, step, "output").inc(tokens.output)
        COST.labels(model, step).inc(metrics.costs.get(step, 0.0))
