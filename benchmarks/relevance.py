"""Fits and checks the relevance of `rag/retrieval/relevance.py`: questions asked of their own and of a foreign corpus.

    python benchmarks/relevance.py poquad dyk prawo lquad faq_ms

The sets must be indexed (`manage.py evaluate --dataset FOLDER`). Two sets of statutes are not asked of each other.
"""

import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402

from ingestion.models import Collection  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.evaluation.datasets import stored_questions  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.retrieval.hybrid import HybridRetriever  # noqa: E402
from rag.types import Filters  # noqa: E402

OWN, FOREIGN = 150, 40  # questions
ALIKE = {frozenset(("prawo", "lquad"))}
SIGNALS = ("early", "kinship")


def main() -> None:
    names = sys.argv[1:]
    chance = random.Random(1)
    retriever = HybridRetriever(preset=preset("offline"), lexical=rag_settings().lexical)
    sets = {name: EvaluationDataset.objects.select_related("collection").get(name=name) for name in names}
    questions = {name: [q.question for q in stored_questions(sets[name]) if q.expected_documents] for name in names}
    rows, labels = [], []
    for asked_of in names:
        for source in names:
            if frozenset((asked_of, source)) in ALIKE:
                continue
            own = source == asked_of
            for text in chance.sample(questions[source], OWN if own else FOREIGN):
                rows.append(best_signals(retriever, text, sets[asked_of].collection))
                labels.append(own)
    report(np.array([[row[name] for name in SIGNALS] for row in rows]), np.array(labels))


def best_signals(retriever: HybridRetriever, text: str, collection: Collection) -> dict[str, float]:
    """The signals of the first passage; zeros where there is none."""
    search, passages = retriever.ranked(text, collections=[collection], filters=Filters())
    return search.signals(passages[:1])[0] if passages else dict.fromkeys(SIGNALS, 0.0)


def report(signals: np.ndarray, own: np.ndarray) -> None:
    share = np.where(own, 0.5 / own.sum(), 0.5 / (~own).sum())
    sign = np.where(own, 1.0, -1.0)
    design = np.hstack([signals, np.ones((len(signals), 1))])
    weights = minimize(lambda w: share @ np.logaddexp(0, -sign * (design @ w)) + 1e-5 * w @ w, np.zeros(3)).x
    chances = 1 / (1 + np.exp(-design @ weights))
    auc = np.mean(chances[own][:, None] > chances[~own][None, :])
    print("weights", dict(zip((*SIGNALS, "bias"), weights.round(2), strict=True)), f"ROC AUC {auc:.4f}")
    for limit in (0.3, 0.4, 0.5, 0.6):
        wrong, right = np.mean(chances[own] < limit), np.mean(chances[~own] < limit)
        print(f"min_relevance {limit}: refuses {wrong:.1%} of its own questions, {right:.1%} of foreign ones")


if __name__ == "__main__":
    main()
