"""Every minute the worker tells the search engine what changed."""

import logging
import time

from ingestion.index.engine.changes import tell_changes
from ingestion.index.engine.generations import drop_retired, living_generations
from knowledgetree.conf import rag_settings
from knowledgetree.search_engine.configuration import QDRANT
from knowledgetree.search_engine.connection import Engine, EngineUnavailable, connect

log = logging.getLogger("knowledgetree.search")

_A_MINUTE = 50.0  # seconds: the next one begins where this one stopped


def tell_engine() -> int:
    """Tell every living generation what it does not know; how many notes were settled. What is noted now need not wait
    for it: searches look at chunks that are noted themselves.
    """
    settings = rag_settings().search_engine
    if settings.backend != QDRANT:
        return 0
    try:
        return _tell(connect(settings, writing=True))
    except EngineUnavailable as error:
        log.warning("the search engine was not told", extra={"fields": {"error": str(error)}})
        return 0


def _tell(engine: Engine) -> int:
    end, told = time.monotonic() + _A_MINUTE, 0
    for generation in living_generations():
        while time.monotonic() < end and (settled := tell_changes(engine, generation)):
            told += settled
    drop_retired(engine)
    return told
