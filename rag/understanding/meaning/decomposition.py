"""Decomposition: the simple questions that a composite one consists of."""

from collections.abc import Iterable

from pydantic import BaseModel

from rag.understanding.meaning.transformation import Transformation
from rag.understanding.meaning.variants import Variant

_FEWEST, _MOST = 2, 4


class SubQuestion(BaseModel):
    question: str
    depends_on: list[int] = []


class SubQuestions(BaseModel):
    questions: list[SubQuestion]


class Decomposition(Transformation[SubQuestions]):
    """Two to four sub-questions; none for a question that is simple itself. They depend on earlier ones at most."""

    name = "decomposition"
    schema = SubQuestions

    def read(self, reply: SubQuestions) -> Iterable[Variant]:
        if len(reply.questions) < _FEWEST:
            return []
        return [
            Variant(
                text=part.question,
                origin=self.name,
                depends_on=tuple(sorted({other for other in part.depends_on if 0 < other < number})),
            )
            for number, part in enumerate(reply.questions[:_MOST], start=1)
        ]
