"""One streamed answer of a server, as `rag.llm.protocol` promises it, whatever its API."""

from collections.abc import Generator
from typing import Generic, Literal, TypeVar

from django.utils.translation import gettext_lazy as _

from rag.errors import LLMError, LLMRejected, LLMUnavailable
from rag.llm.failures import translated
from rag.llm.provider import Provider
from rag.llm.spending.meter import note_usage
from rag.types import Located, Tokens

P = TypeVar("P", str, str | Located)

Ending = Literal["end", "limit", "refusal"]


class StreamedReply(Generic[P]):
    """What all replies have in common: a place at the server, errors in our terms, an end that was told, some text.

    `timeout` is that of each wait in seconds; `hurried`: see `rag.llm.provider.Provider.request`. What was used
    counts for `model`, however the reply ends. A subclass sends the request and gives the pieces in `_pieces`, with
    `usage` and `_ending` as they become known.
    """

    def __init__(self, *, model: str, provider: Provider, timeout: float, hurried: bool = False) -> None:
        self._model = model
        self._provider = provider
        self._timeout = timeout
        self._hurried = hurried
        self._ending: Ending | None = None
        self.usage = Tokens()

    @property
    def truncated(self) -> bool:
        return self._ending == "limit"

    def __iter__(self) -> Generator[P, None, None]:
        written = False
        with self._provider.request(model=self._model, timeout=self._timeout, hurried=self._hurried):
            try:
                for piece in self._pieces():
                    written = written or (isinstance(piece, str) and bool(piece.strip()))
                    yield piece
            except LLMError:
                raise
            except Exception as error:
                raise translated(error) from error
            finally:
                note_usage(self._model, self.usage)
            if self._ending is None:
                raise LLMUnavailable(_("The language model's answer broke off."))
        if self._ending == "refusal":
            raise LLMRejected(_("The language model declined to answer."), remedy=_("Put the question differently."))
        if not written:
            raise LLMUnavailable(_("The language model answered without text."))

    def _pieces(self) -> Generator[P, None, None]:
        raise NotImplementedError
