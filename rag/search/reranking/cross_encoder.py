"""A model that reads question and passage together: better than comparing vectors, and much more work."""

import importlib.util
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from ingestion.embedding.loading import refuse_reports
from ingestion.text.index_format.chunk_words import searched_text
from rag.errors import RerankingFailed
from rag.search.context import SearchContext
from rag.search.reranking.loading import ModelThread
from rag.types import Passage

Pair = tuple[str, str]


class CrossEncoderReranker:
    """Scores are probabilities: the sigmoid of the model's one logit (Nogueira and Cho 2019).

    `model`: a name on the hub or a folder. `limit`: passages read for a question, `max_length`: tokens of question and
    passage together, cut where there are more; None: what the model takes. `options` go to `CrossEncoder` as they are
    (device, backend, model_kwargs with dtype ...).

    The model is loaded in the background of the first search that wants it. One thread works with it: tokenisers bear
    no two, and the model uses all cores anyway.
    """

    def __init__(
        self,
        model: str,
        *,
        limit: int = 50,
        batch_size: int = 16,
        max_length: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        if importlib.util.find_spec("sentence_transformers") is None:  # its import takes seconds: in the thread
            raise ImproperlyConfigured(
                "The reranker cross_encoder needs extra packages: pip install 'knowledgetree[neural]'."
            )
        self.limit: int | None = limit
        self._batch_size = batch_size
        self._thread = ModelThread(lambda: _loaded(model, {"max_length": max_length, **(options or {})}))

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """See `rag.search.reranking.protocol.Reranker`; the deadline is looked at before every batch."""
        if not passages:
            return []
        pairs = [(search.query.text, _text(passage)) for passage in passages]
        logits = self._thread.run(lambda model: self._logits(model, pairs, deadline), deadline=deadline)
        scored = [replace(passage, score=_sigmoid(logit)) for passage, logit in zip(passages, logits, strict=True)]
        return sorted(scored, key=lambda passage: -passage.score)

    def _logits(self, model: Any, pairs: Sequence[Pair], deadline: float) -> list[float]:
        """Those of `pairs`, in order. Like lengths share a batch, so that little of it is padding."""
        by_length = sorted(range(len(pairs)), key=lambda place: len(pairs[place][1]))
        logits: dict[int, float] = {}
        for start in range(0, len(pairs), self._batch_size):
            if time.monotonic() >= deadline:
                raise RerankingFailed(_("The reranking model did not answer in time."))
            batch = by_length[start : start + self._batch_size]
            # Without `activation_fn` the model's configuration decides whether these are logits or probabilities.
            found = model.predict([pairs[place] for place in batch], activation_fn=_as_it_is, show_progress_bar=False)
            logits |= zip(batch, map(float, found), strict=True)
        if not all(map(math.isfinite, logits.values())):  # half precision overflows in some models
            raise RerankingFailed(_("The reranking model failed."))
        return [logits[place] for place in range(len(pairs))]


def _loaded(model: str, options: Mapping[str, Any]) -> Any:
    if options.get("backend") == "openvino":
        refuse_reports()
    from sentence_transformers import CrossEncoder

    encoder = CrossEncoder(model, **options)
    if encoder.num_labels != 1:
        raise ValueError(f"{model} gives {encoder.num_labels} scores for a pair; a reranker gives one.")
    return encoder


def _text(passage: Passage) -> str:
    return searched_text(title=passage.title, headings=passage.heading_path, text=passage.text)


def _as_it_is(logits: Any) -> Any:
    return logits


def _sigmoid(logit: float) -> float:
    return 0.5 + 0.5 * math.tanh(logit / 2)  # the same as 1 / (1 + exp(-logit)), without its overflow
