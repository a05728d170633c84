from rag.evaluation.measures.latency import percentiles


def test_percentiles_by_stage_with_the_total_last() -> None:
    times = [{"total": 2.0 * n, "lexical": float(n)} for n in range(101)]
    assert percentiles(times) == {
        "lexical": {"p50": 50.0, "p95": 95.0, "p99": 99.0},
        "total": {"p50": 100.0, "p95": 190.0, "p99": 198.0},
    }


def test_no_question_no_times() -> None:
    assert percentiles([]) == {}
