"""The search: Optuna proposes values (by a tree-structured Parzen estimator, Bergstra et al. 2011), questions judge.

What was tried is kept in the database as it comes, so a search that was broken off goes on where it was.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.postgres.locks import Lock, held_over_transactions
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import LabelledQuestion, sampled
from rag.evaluation.measures.significance import compare_scores
from rag.evaluation.optimization.copies import remove_abandoned_copies
from rag.evaluation.optimization.objective import Objective, halves
from rag.evaluation.optimization.result import ChangedValue, Optimum, as_stored
from rag.evaluation.optimization.tried_chunking import TriedChunking
from rag.evaluation.optimization.tried_parts import PartRange
from rag.evaluation.optimization.variations import OutOfTime, TriedParts, Variations
from rag.evaluation.resuming import Unwanted
from rag.models import Optimization, OptimizationTrial

if TYPE_CHECKING:
    from optuna import Study
    from optuna.distributions import BaseDistribution

LEAST_QUESTIONS = 20
"""Of both halves together: fewer could prove nothing."""

MOST_SEARCHED = 200
"""Questions of a trial: more trials find more than more questions in each. The proof asks all that are held out."""

_MOST_PROPOSALS = 2000
"""What was tried already takes no time, so proposals end too."""

_OF_TIME = 0.7  # for proposals; the rest is for undoing what gains nothing

Progress = Callable[[int, int], None]
"""Called with (done, total) seconds of the search."""


class OptimizerMissing(KnowledgeTreeError):
    code = "optimizer_missing"


class SearchedAlready(KnowledgeTreeError):
    code = "searched_already"
    status = 409


class TooFewQuestions(KnowledgeTreeError):
    code = "too_few_questions"
    status = 400


class Search:
    """One optimisation from its first trial, or the one that it had reached, to its result."""

    def __init__(self, optimization: Optimization, *, progress: Progress) -> None:
        check_optimizer()
        self._optimization, self._progress = optimization, progress
        searched, self._held_out = halves(usable_questions(optimization))
        self._searched = sampled(searched, limit=MOST_SEARCHED, seed=0)
        self._kind = _tried(optimization)
        self._current = self._kind.current
        self._tried = list(optimization.trials.all())
        self._lost = 0.0  # seconds of trials that were not finished

    def run(self) -> Optimum:
        """The result, stored. Raises Unwanted where the optimisation is deleted meanwhile, OutOfTime where not even
        what is in force could be measured, and SearchedAlready.
        """
        with self._alone():
            self._score({})  # what is in force now is the first to be measured
            with suppress(OutOfTime):
                self._propose()
            best = self._without_idle_changes(self._best)
            optimum = self._proof(best)
            _keep(self._optimization, optimum)
            self._kind.close(best if optimum.proven else {})
        return optimum

    def _propose(self) -> None:
        study = self._study()
        for values in self._kind.proposals:
            study.enqueue_trial(dict(values), skip_if_exists=True)
        for _number in range(_MOST_PROPOSALS):
            if self._spent >= _OF_TIME * self._optimization.seconds or len(self._tried) > self._kind.most:
                return
            trial = study.ask(self._distributions())
            study.tell(trial, self._score(self._kind.rounded(trial.params)))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else searches for this, and what others left behind is gone. Copies of an optimisation that is deleted
        meanwhile go at once, those of one that is broken off otherwise are gone on with.
        """
        remove_abandoned_copies(but=self._optimization.pk)
        with held_over_transactions(Lock.OPTIMIZATION, self._optimization.pk) as held:
            if not held:
                raise SearchedAlready(_("This search is under way already."), remedy=_("Let it end."))
            try:
                yield
            except (Unwanted, OutOfTime):
                self._kind.close({})
                raise

    @property
    def _best(self) -> OptimizationTrial:
        return max(self._tried, key=lambda one: one.score)

    @property
    def _spent(self) -> float:
        return sum(trial.seconds for trial in self._tried) + self._lost

    def _study(self) -> "Study":
        """It knows what was tried before."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        seed = self._optimization.pk + len(self._tried)  # one that goes on does not draw its first values once more
        study = optuna.create_study(
            direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed, multivariate=True)
        )
        known = self._distributions()
        for trial in self._tried:
            params = {name: {**self._current, **trial.values}[name] for name in known}
            study.add_trial(optuna.trial.create_trial(params=params, distributions=known, value=trial.score))
        return study

    def _distributions(self) -> dict[str, "BaseDistribution"]:
        return {part.name: _distribution(part, self._current[part.name]) for part in self._kind.ranges}

    def _score(self, values: Mapping[str, Any]) -> float:
        """The mean on the questions that are searched on; the same values are not asked with twice."""
        values = {name: value for name, value in values.items() if value != self._current[name]}
        known = next((trial for trial in self._tried if trial.values == values), None)
        if known:
            return known.score
        started, spent = time.perf_counter(), self._spent

        def tell(done: int, total: int) -> None:
            seconds = spent + time.perf_counter() - started
            self._progress(min(int(seconds), self._optimization.seconds), self._optimization.seconds)

        def goes_on() -> bool:
            tell(0, 0)
            return spent + time.perf_counter() - started < self._optimization.seconds

        try:
            scores = self._kind.scores(self._searched, values, tell, goes_on)
        except OutOfTime:
            self._lost += time.perf_counter() - started
            raise
        trial = OptimizationTrial(
            optimization=self._optimization,
            values=values,
            score=sum(scores.values()) / len(scores),
            seconds=time.perf_counter() - started,
        )
        _keep_trial(trial)
        self._tried.append(trial)
        self._kind.keep(self._best.values)
        return trial.score

    def _without_idle_changes(self, best: OptimizationTrial) -> dict[str, Any]:
        """The values of `best` but for those that gain nothing: each is tried as it was, while there is time."""
        values = dict(best.values)
        with suppress(OutOfTime):
            for name in best.values:
                if self._spent >= self._optimization.seconds:
                    break
                fewer = {other: value for other, value in values.items() if other != name}
                if self._score(fewer) >= best.score:
                    values = fewer
        return values

    def _proof(self, values: Mapping[str, Any]) -> Optimum:
        """What the held-out questions say, which are asked here for the first time."""
        measure = self._optimization.measure
        before, after = (self._kind.scores(self._held_out, tried, self._proving, self._waits) for tried in ({}, values))
        (difference,) = compare_scores(
            {key: {measure: score} for key, score in before.items()},
            {key: {measure: score} for key, score in after.items()},
        )
        return Optimum(
            changes=tuple(
                ChangedValue(name=name, before=self._current[name], after=value) for name, value in values.items()
            ),
            parts=self._kind.found(values) if values else {},
            searched=(self._score({}), self._score(values)),
            searched_questions=len(self._searched),
            held_out=difference,
            scores={key: (before[key], score) for key, score in after.items() if key in before},
        )

    def _proving(self, done: int, total: int) -> None:
        """The limit of time is that of the search; that there is life, whoever watches is told."""
        self._progress(self._optimization.seconds, self._optimization.seconds)

    def _waits(self) -> bool:
        """What is proven is made however long it takes; nearly always it is there."""
        self._proving(0, 0)
        return True


def usable_questions(optimization: Optimization) -> list[LabelledQuestion]:
    """Raises TooFewQuestions."""
    usable = Objective(optimization).usable(list(stored_questions(optimization.dataset)))
    if len(usable) < LEAST_QUESTIONS:
        raise TooFewQuestions(
            _("Of the set “%(name)s” %(n)d questions can be measured so; at least %(least)d are needed.")
            % {"name": optimization.dataset, "n": len(usable), "least": LEAST_QUESTIONS},
            remedy=_("Add questions with expected documents or words, or take over real ones from the questions."),
        )
    return usable


def check_optimizer() -> None:
    """Raises OptimizerMissing."""
    try:
        import optuna  # noqa: F401
    except ImportError as error:
        raise OptimizerMissing(
            _("Optuna, which proposes what to try, is not installed."),
            remedy=_("Install it: pip install 'knowledgetree[optimize]'"),
        ) from error


def _tried(optimization: Optimization) -> Variations:
    return (
        TriedChunking(optimization) if optimization.tries == Optimization.Tries.CHUNKING else TriedParts(optimization)
    )


def _distribution(part: PartRange, current: Any) -> "BaseDistribution":
    """A range that has the value in force too."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if part.choices:
        return CategoricalDistribution(part.choices)
    low, high = min(part.low, current), max(part.high, current)
    return IntDistribution(int(low), int(high)) if part.whole else FloatDistribution(low, high)


@transaction.atomic
def _keep_trial(trial: OptimizationTrial) -> None:
    if not Optimization.objects.select_for_update().filter(pk=trial.optimization_id).exists():
        raise Unwanted
    trial.save()


def _keep(optimization: Optimization, optimum: Optimum) -> None:
    optimization.result = as_stored(optimum)
    if not Optimization.objects.filter(pk=optimization.pk).update(result=optimization.result):
        raise Unwanted
