"""Results by question of a measurement under way: what a killed worker left goes on where it was."""

from collections.abc import Callable
from typing import Generic, TypeVar

from django.db import transaction
from pydantic import TypeAdapter

from rag.answering.cache.key import digest, settings_digest
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.version import program_version
from rag.llm.configuration import settings_in_force
from rag.models import MeasuredQuestion, Measurement

Result = TypeVar("Result")


class Unwanted(Exception):
    """The measurement is gone."""


def measured_now(question: LabelledQuestion, measure: Callable[[], Result]) -> Result:
    """For measurements of one sitting."""
    return measure()


class KeptResults(Generic[Result]):
    """Called as `measured_now`. `kept` says what of a result is stored: no texts of documents."""

    def __init__(
        self, measurement: Measurement, kind: type[Result], *, kept: Callable[[Result], Result] = lambda result: result
    ) -> None:
        self._measurement = measurement
        self._stored: TypeAdapter[Result] = TypeAdapter(kind)
        self._kept = kept
        self._circumstances = (program_version(), settings_digest(settings_in_force()))
        self._known = dict(measurement.measured.values_list("key", "result"))

    def __call__(self, question: LabelledQuestion, measure: Callable[[], Result]) -> Result:
        """The result from before, else that of `measure`, stored. Raises Unwanted."""
        key = digest([question.model_dump(mode="json"), *self._circumstances])
        if key in self._known:
            return self._stored.validate_python(self._known[key])
        result = measure()
        self._store(key, result)
        return result

    @transaction.atomic
    def _store(self, key: str, result: Result) -> None:
        """Another worker may have measured it too."""
        if not Measurement.objects.select_for_update().filter(pk=self._measurement.pk).exists():
            raise Unwanted
        row = MeasuredQuestion(
            measurement=self._measurement, key=key, result=self._stored.dump_python(self._kept(result), mode="json")
        )
        MeasuredQuestion.objects.bulk_create([row], ignore_conflicts=True)
