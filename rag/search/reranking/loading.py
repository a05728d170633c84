"""A model that is loaded beside the searches and works in a thread of its own, so that none waits past its deadline."""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock
from typing import Generic, TypeVar

from django.utils.translation import gettext_lazy as _

from rag.errors import RerankingFailed

log = logging.getLogger("knowledgetree.search")

_RETRY_SECONDS = 60.0  # a model that could not be loaded is not tried again at every question

M = TypeVar("M")
T = TypeVar("T")


class ModelThread(Generic[M]):
    """One thread that loads a model when it is first wanted, and then works with it, one piece of work at a time."""

    def __init__(self, load: Callable[[], M]) -> None:
        self._load = load
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self._lock = Lock()
        self._model: Future[M] | None = None
        self._began = 0.0

    def run(self, work: Callable[[M], T], *, deadline: float) -> T:
        """What `work` makes of the model; `deadline` is a `time.monotonic()` reading.

        Who comes first waits for the model until the deadline, who comes while it is being loaded does not. Raises
        RerankingFailed where the model is not there in time, could not be loaded, is busy or fails.
        """
        model = self._load_by(deadline)
        done = self._thread.submit(work, model)
        if not _finished(done, deadline):
            done.cancel()  # of use while it waits its turn; work that has begun ends by itself
            raise RerankingFailed(_("The reranking model did not answer in time."))
        error = done.exception()
        if isinstance(error, RerankingFailed):
            raise error
        if error is not None:
            log.error("a reranking model failed", exc_info=error)
            raise RerankingFailed(_("The reranking model failed.")) from error
        return done.result()

    def _load_by(self, deadline: float) -> M:
        with self._lock:
            waiting = self._model is not None and not self._model.done()
            if self._model is None or self._worth_another_try(self._model):
                self._began, self._model = time.monotonic(), self._thread.submit(self._load_logged)
            model = self._model
        if waiting or not _finished(model, deadline):
            raise RerankingFailed(_("The reranking model is still being loaded."))
        if error := model.exception():
            raise RerankingFailed(
                _("The reranking model could not be loaded."),
                remedy=_("The administrator should check RERANKER_MODEL: a folder, or a name on the model hub."),
            ) from error
        return model.result()

    def _worth_another_try(self, model: "Future[M]") -> bool:
        failed = model.done() and model.exception() is not None
        return failed and time.monotonic() - self._began > _RETRY_SECONDS

    def _load_logged(self) -> M:
        try:
            return self._load()
        except Exception:
            log.exception("a reranking model could not be loaded")
            raise


def _finished(future: "Future[T]", deadline: float) -> bool:
    wait([future], timeout=max(0.0, deadline - time.monotonic()))
    return future.done()
