"""Percentiles of times, in all and by stage."""

from collections.abc import Iterable, Mapping

import numpy as np

PERCENTILES = (50, 95, 99)
STAGES, TOTAL = "stages", "total"
"""All stages of a question together, and what whoever asked waited for."""

Latency = dict[str, dict[str, float]]
"""{stage: {"p50": ms, "p95": ms, "p99": ms}}, `stages` and `total` last."""


def percentiles(times: Iterable[Mapping[str, float]]) -> Latency:
    """From the milliseconds of each question by stage, `total` among them; interpolated linearly."""
    by_stage: dict[str, list[float]] = {}
    for question in times:
        for stage, milliseconds in question.items():
            by_stage.setdefault(stage, []).append(milliseconds)
    stages = sorted(by_stage, key=lambda stage: (stage == TOTAL, stage == STAGES))
    return {
        stage: {f"p{p}": round(float(np.percentile(by_stage[stage], p)), 3) for p in PERCENTILES} for stage in stages
    }
