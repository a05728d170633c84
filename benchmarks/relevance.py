"""Fits and checks the shipped relevance (`rag/search/relevance/relevance.json`): questions of own and foreign corpora.

    python benchmarks/relevance.py poquad dyk prawo lquad faq_ms --reranker features

The sets must be indexed (`manage.py evaluate --dataset FOLDER`) in a space of the hashing embedder. Two sets of
statutes are not asked of each other. Prints the weights as the file has them, and how each set fares under those of
the others.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402

from ingestion.selectors import active_space  # noqa: E402
from rag.evaluation.calibration.fitting import CalibrationReport, calibrate, fit_calibration  # noqa: E402
from rag.evaluation.calibration.reliability import Reliability, measure_reliability  # noqa: E402
from rag.evaluation.ranked_questions import RankedQuestion, ask_questions, draw_questions  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.search.relevance.calibration import as_stored  # noqa: E402

ALIKE = [frozenset(("prawo", "lquad"))]
WORDS = ("early", "kinship")
CHOICES = (WORDS, (*WORDS, "score"), ("score",))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--reranker", default="features")
    parser.add_argument("--limit", type=int, default=150)
    chosen = parser.parse_args()
    sets = [EvaluationDataset.objects.select_related("collection").get(name=name) for name in chosen.datasets]
    drawn = draw_questions(sets, limit=chosen.limit, seed=1, alike=ALIKE)
    space = active_space()
    assert space is not None, "index the sets first"
    asked = ask_questions(drawn, space=space, reranker=chosen.reranker, progress=lambda done, total: None)
    report(asked, chosen.reranker)


def report(asked: Sequence[RankedQuestion], reranker: str) -> None:
    for inputs in CHOICES:
        found = calibrate(asked, inputs=inputs)
        if inputs == WORDS:
            print(json.dumps({reranker: as_stored(found.calibration)}))
            print("now        ", described(found.before))
            print_refusals(found)
        print("+".join(inputs), described(found.after))
        print_refusals(found, after=True)
        for name in dict.fromkeys(one.drawn.dataset.name for one in asked):
            print(f"  {name:<9} under the others' weights", described(under_others(asked, name, inputs)))


def under_others(asked: Sequence[RankedQuestion], name: str, inputs: Sequence[str]) -> Reliability:
    """How the set `name` fares under weights fitted on the other sets."""
    known = [one for one in asked if one.example]
    own = np.array([one.drawn.dataset.name == name for one in known])
    labels = np.array([one.drawn.answerable for one in known])
    examples = [one.example.values for one in known if one.example]
    others = [example for example, mine in zip(examples, own, strict=True) if not mine]
    fitted = fit_calibration(others, labels[~own], inputs)
    chances = [fitted.chance(example) for example, mine in zip(examples, own, strict=True) if mine]
    return measure_reliability(np.array(chances), labels[own])


def print_refusals(found: CalibrationReport, *, after: bool = False) -> None:
    for row in found.refusals_after if after else found.refusals_before:
        print(f"  below {row.threshold}: refuses {row.answerable:.1%} of its own, {row.unanswerable:.1%} of others")


def described(reliability: Reliability) -> str:
    return (
        f"ECE {reliability.ece:.4f} (equal width {reliability.ece_width:.4f}), Brier {reliability.brier:.4f}, "
        f"ROC AUC {reliability.auc:.4f}"
    )


if __name__ == "__main__":
    main()
