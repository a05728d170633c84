import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from knowledgetree import console
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.features.fitting import JudgedList, fit_weights, mean_ndcg, mean_ndcg_in_order, split
from rag.evaluation.features.signals import judged_lists
from rag.evaluation.retrieval import RetrievalOptions, drawn
from rag.models import EvaluationDataset
from rag.search.reranking.features import FEATURES, SHIPPED

Halves = dict[str, tuple[list[JudgedList], list[JudgedList]]]


class Command(console.Command):
    help = gettext_noop("Fit the features reranker on stored evaluation sets (index them with `evaluate` first).")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("datasets", nargs="+", help=_("names of stored sets with a collection"))
        parser.add_argument("--limit", type=int, default=1200, help=_("questions taken from each set"))
        parser.add_argument("--ablation", action="store_true", help=_("also say what each signal is worth"))
        shipped = _("write the weights (shipped: %(name)s)") % {"name": SHIPPED.name}
        parser.add_argument("--write", type=Path, metavar="FILE", help=shipped)

    def handle(self, *, datasets: list[str], limit: int, write: Path | None, ablation: bool, **options: Any) -> None:
        halves: Halves = {name: split(self._lists(name, limit)) for name in datasets}
        first = fit_weights([half[0] for half in halves.values()])
        second = fit_weights([half[1] for half in halves.values()])
        self.say(_("nDCG@10: order of the search → fitted on the other half / on other sets"))
        for name, half in halves.items():
            crossed = np.mean([mean_ndcg(half[1], first), mean_ndcg(half[0], second)])
            others = [[*a, *b] for other, (a, b) in halves.items() if other != name]
            foreign = mean_ndcg([*half[0], *half[1]], fit_weights(others)) if others else float("nan")
            before = float(np.mean([mean_ndcg_in_order(half[0]), mean_ndcg_in_order(half[1])]))
            self.say(f"  {name:<12} {before:.3f} → {crossed:.3f} / {foreign:.3f}")
        for name, weight in zip(FEATURES, first, strict=True):
            self.say(f"  {name:<12} {weight:+.3f}")
        if ablation:
            self._ablate(halves)
        if write:
            write.write_text(_as_json(first, halves), encoding="utf-8")
            self.say(_("Written to %(path)s (fitted on the first halves of the questions).") % {"path": write})

    def _ablate(self, halves: Halves) -> None:
        """Refit without each signal; the change of nDCG@10 in points, crossed halves."""
        full = {name: _crossed(halves, name, range(len(FEATURES))) for name in halves}
        self.say(_("without the signal: change of nDCG@10 in points") + "   " + "  ".join(halves))
        for position, signal in enumerate(FEATURES):
            kept = [other for other in range(len(FEATURES)) if other != position]
            changes = [100 * (_crossed(halves, name, kept) - full[name]) for name in halves]
            self.say(f"  {signal:<12} " + "  ".join(f"{change:+.2f}" for change in changes))

    def _lists(self, name: str, limit: int) -> dict[str, JudgedList]:
        dataset = EvaluationDataset.objects.select_related("collection").filter(name=name).first()
        if dataset is None or dataset.collection is None:
            missing = _("The set “%(name)s” is not indexed; first: knowledgetree evaluate --dataset FOLDER")
            raise CommandError(missing % {"name": name})
        questions = drawn(list(stored_questions(dataset)), RetrievalOptions(limit=limit))
        with self.progress_bar(name) as progress:
            return judged_lists(questions, collection=dataset.collection, progress=progress)


def _crossed(halves: Halves, name: str, kept: Sequence[int]) -> float:
    """nDCG@10 of the set with the `kept` signals, each half under the weights fitted on the other halves."""
    first, second = (
        [[replace(judged, signals=judged.signals[:, list(kept)]) for judged in half[side]] for half in halves.values()]
        for side in (0, 1)
    )
    place = list(halves).index(name)
    return float(np.mean([mean_ndcg(second[place], fit_weights(first)), mean_ndcg(first[place], fit_weights(second))]))


def _as_json(weights: NDArray[np.float64], halves: Halves) -> str:
    about = ", ".join(f"{name} ({len(half[0])})" for name, half in halves.items())
    content = {
        "fitted": f"pairwise logistic regression on the first half of the questions of: {about}",
        "weights": {name: round(float(weight), 3) for name, weight in zip(FEATURES, weights, strict=True)},
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
