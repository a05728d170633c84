"""Replies of a model with personal data in the place of what it was told instead."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from ingestion.text.personal_data.pseudonyms import Pseudonyms, Restoring
from rag.llm.protocol import LocatingReply, Reply
from rag.types import Located, ModelTurn, QuotableSource, Tokens

R = TypeVar("R", bound=Reply | LocatingReply)


class _Restored(Generic[R]):
    def __init__(self, reply: R, pseudonyms: Pseudonyms) -> None:
        self._reply: R = reply
        self._pseudonyms = pseudonyms

    @property
    def usage(self) -> Tokens:
        return self._reply.usage

    @property
    def truncated(self) -> bool:
        return self._reply.truncated


class RestoredReply(_Restored[Reply]):
    """Implements `rag.llm.protocol.Reply` over another one."""

    def __iter__(self) -> Generator[str, None, None]:
        restoring = Restoring(self._pseudonyms)
        with closing(iter(self._reply)) as pieces:
            for piece in pieces:
                if text := restoring.feed(piece):
                    yield text
        if text := restoring.finish():
            yield text


class RestoredLocatingReply(_Restored[LocatingReply]):
    """Implements `rag.llm.protocol.LocatingReply`: quotes are those of `sources`, of which the model read `masked`."""

    def __init__(
        self,
        reply: LocatingReply,
        pseudonyms: Pseudonyms,
        *,
        sources: Sequence[QuotableSource],
        masked: Sequence[QuotableSource],
    ) -> None:
        super().__init__(reply, pseudonyms)
        self._sources = sources
        self._masked = masked

    def __iter__(self) -> Generator[str | Located, None, None]:
        restoring = Restoring(self._pseudonyms)
        with closing(iter(self._reply)) as pieces:
            for piece in pieces:
                if isinstance(piece, str):
                    if text := restoring.feed(piece):
                        yield text
                    continue
                if text := restoring.finish():
                    yield text
                yield self._located(piece)
        if text := restoring.finish():
            yield text

    def _located(self, located: Located) -> Located:
        """What stands in the blocks, where the model was told just that; a wrong quote stays wrong."""
        if not 0 <= located.source < len(self._sources):
            return located
        told, meant = (
            "".join(sources[located.source].blocks[located.first : located.last])
            for sources in (self._masked, self._sources)
        )
        return replace(located, quoted=meant) if located.quoted.strip() == told.strip() else located


def restored_turn(turn: ModelTurn, pseudonyms: Pseudonyms) -> ModelTurn:
    """`content` stays as the server sent it, for it goes back there."""
    calls = tuple(replace(call, arguments=restored_value(call.arguments, pseudonyms)) for call in turn.calls)
    return replace(turn, text=pseudonyms.restore(turn.text), calls=calls)


def restored_value(value: Any, pseudonyms: Pseudonyms) -> Any:
    """A value of a reply with every text in it restored. A restored text may be longer than its schema lets a model's
    be, so that nothing is validated anew.
    """
    if isinstance(value, str):
        return pseudonyms.restore(value)
    if isinstance(value, BaseModel):
        named = {name: restored_value(one, pseudonyms) for name, one in value}
        return value.model_copy(update=named)
    if isinstance(value, Mapping):
        return {name: restored_value(one, pseudonyms) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(restored_value(one, pseudonyms) for one in value)
    return value
