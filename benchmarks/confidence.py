"""Fits and checks the weights of an answer's confidence (`rag/answering/verification/confidence.py`).

    python benchmarks/confidence.py poquad --unanswerable FOLDER/queries_unanswerable.jsonl --foreign dyk prawo faq_ms

The sets must be indexed (`manage.py evaluate --dataset FOLDER`) in a space of the hashing embedder; scikit-learn is
needed (it comes with the extra for neural models). Asked are as many
questions that the set answers as questions it does not: those written to look answerable, and those of the `--foreign`
sets. Folds keep the questions of one article together. Prints the AUC of each part alone, of the shipped weights, and
of weights fitted in each fold, for either kind of unanswerable question; then the weights fitted on everything.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.metrics import roc_auc_score  # noqa: E402
from sklearn.model_selection import GroupKFold, cross_val_predict  # noqa: E402

from rag.answering.verification import Verifier  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402
from rag.types import Filters  # noqa: E402

FITTED = ("relevance", "coverage", "kind")
FOLDS = 10


class Asked(NamedTuple):
    """`origin`: "own" (answered in the set), "adversarial" or "foreign"; `article` groups the questions of a text."""

    origin: str
    article: str
    confidence: float
    parts: dict[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("--unanswerable", type=Path, required=True)
    parser.add_argument("--foreign", nargs="*", default=[])
    parser.add_argument("--limit", type=int, default=300)
    chosen = parser.parse_args()
    report(list(asked(chosen.dataset, chosen.unanswerable, chosen.foreign, chosen.limit)))


def asked(name: str, unanswerable: Path, foreign: Sequence[str], limit: int) -> Iterator[Asked]:
    searched = EvaluationDataset.objects.get(name=name).collection
    assert searched is not None, "index the set first"
    collection = searched.slug
    hard = [json.loads(line) for line in unanswerable.read_text(encoding="utf-8").splitlines()]
    hard_pairs = random.Random(7).sample([(one["id"], one["text"]) for one in hard], min(limit, len(hard)))
    strange = [question for other in foreign for question in drawn(other, limit // len(foreign))]
    for origin, questions in (
        ("own", drawn(name, limit)),
        ("adversarial", hard_pairs),
        ("foreign", strange),
    ):
        for key, text in questions:
            yield ask_one(origin, key, text, collection)


def drawn(name: str, limit: int) -> list[tuple[str, str]]:
    questions = EvaluationDataset.objects.get(name=name).questions.order_by("pk").values_list("external_id", "text")
    return random.Random(7).sample(list(questions), min(limit, len(questions)))


def ask_one(origin: str, key: str, text: str, collection: str) -> Asked:
    viewer = get_user_model()(username="benchmark", is_superuser=True, is_active=True)
    answer = answer_question(text, viewer=viewer, filters=Filters(collections=(collection,)), save=False)
    found = Verifier().verify(
        text, answer.text, answer.citations, answer.passages, language=answer.language, quality=answer.quality
    )
    parts = {part.name: part.value for part in found.verification.confidence_parts}
    return Asked(origin, key.rsplit("-p", 1)[0], found.verification.confidence, parts)


def report(rows: Sequence[Asked]) -> None:
    values = np.array([[row.parts.get(name, 0.0) for name in FITTED] for row in rows])
    labels = np.array([row.origin == "own" for row in rows])
    shipped = np.array([row.confidence for row in rows])
    groups = [row.article for row in rows]
    # Half of the weight to questions with an answer, half to those without.
    weights = np.where(labels, 0.5 / labels.sum(), 0.5 / (~labels).sum()) * len(rows)
    model: Any = LogisticRegression(C=10.0)
    held_out = cross_val_predict(
        model,
        values,
        labels,
        groups=groups,
        cv=GroupKFold(FOLDS),
        params={"sample_weight": weights},
        method="predict_proba",
    )[:, 1]
    measured = {**{name: values[:, i] for i, name in enumerate(FITTED)}, "shipped": shipped, "fitted": held_out}
    for other in ("adversarial", "foreign"):
        chosen = np.array([row.origin in ("own", other) for row in rows])
        if len(set(labels[chosen])) == 2:
            aucs = {name: round(float(roc_auc_score(labels[chosen], one[chosen])), 3) for name, one in measured.items()}
            print(f"own against {other} ({chosen.sum()}):", aucs)
    for origin in ("own", "adversarial", "foreign"):
        mine = np.array([row.origin == origin for row in rows])
        if mine.any():
            quartiles = np.quantile(shipped[mine], [0.25, 0.5, 0.75]).round(2).tolist()
            print(f"{origin}: confidence quartiles {quartiles}, without an answer {(shipped[mine] == 0).mean():.1%}")
    model.fit(values, labels, sample_weight=weights)
    print(
        "fitted:", dict(zip(FITTED, model.coef_[0].round(2).tolist(), strict=True)), "bias", model.intercept_.round(2)
    )


if __name__ == "__main__":
    main()
