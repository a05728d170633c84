"""A question in another language than the documents, worded in theirs."""

from collections.abc import Iterable

from pydantic import BaseModel

from knowledgetree.postgres.connections import release_connections
from rag.errors import LLMError
from rag.llm.protocol import LanguageModel
from rag.types import Tokens
from rag.understanding.language import question_language
from rag.understanding.meaning.together import transformed
from rag.understanding.meaning.transformation import Transformation
from rag.understanding.meaning.variants import Variant

_LONGEST = 400  # characters


class Worded(BaseModel):
    question: str


class Translation(Transformation[Worded]):
    """One wording `into` the language of the documents, which is that of the prompt too."""

    name = "translate"
    schema = Worded

    def __init__(self, llm: LanguageModel, *, into: str) -> None:
        super().__init__(llm)
        self._into = into

    def prompt_language(self, question: str) -> str:
        return self._into

    def read(self, reply: Worded) -> Iterable[Variant]:
        if len(reply.question) <= _LONGEST and question_language(reply.question, self._into) == self._into:
            yield Variant(text=reply.question, origin=self.name)


def translated(question: str, *, into: str, llm: LanguageModel, seconds: float) -> tuple[str, Tokens]:
    """`question` in the language `into`, as it is where it needs no change, and what that cost.

    Raises LLMError, at the latest after `seconds`.
    """
    release_connections()
    translation = Translation(llm, into=into)
    outcome = transformed(question, [translation], seconds=seconds)[translation.name]
    if isinstance(outcome, LLMError):
        raise outcome
    return (outcome.variants[0].text if outcome.variants else question), outcome.usage
