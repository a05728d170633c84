"""What `doctor` says of the search engine."""

from django.utils.translation import gettext as _

from ingestion.index.engine.state import GenerationState, generation_states
from knowledgetree.conf import rag_settings
from knowledgetree.readiness import Check
from knowledgetree.search_engine.configuration import QDRANT
from knowledgetree.search_engine.connection import EngineUnavailable, connect

_MOST_WAITING = 2_000  # beyond that searches no longer look at all of them
_MOST_DRIFT = 0.1  # of the mean length: beyond that a search looks at many more candidates


def search_engine() -> Check:
    """Whether it answers, is searched, and knows what PostgreSQL has."""
    settings, states = rag_settings().search_engine, generation_states()
    if settings.backend != QDRANT:
        if not states:
            return _check(None, _("PostgreSQL alone is searched"))
        detail = _("changes are noted for Qdrant, which nobody tells of them: SEARCH_ENGINE is not qdrant")
        return _check(False, detail, _("Set it, or give Qdrant up: knowledgetree engine switch --to postgres"))
    try:
        with connect(settings).reach() as client:
            version = client.info().version
    except EngineUnavailable as error:
        return _check(False, str(error.message), str(error.remedy))
    return _of_generations(states, version)


def _of_generations(states: list[GenerationState], version: str) -> Check:
    told = {"version": version}
    if not states or states[0].status != "active":
        detail = _("Qdrant %(version)s answers, but PostgreSQL alone is searched") % told
        return _check(False, detail, _("Run: knowledgetree engine rebuild --switch"))
    active = states[0]
    if active.lacks_space:
        detail = _("Qdrant lacks the vectors that are searched; PostgreSQL compares them")
        return _check(False, detail, _("Run: knowledgetree engine rebuild --switch"))
    if active.waiting > _MOST_WAITING:
        detail = _("Qdrant has yet to be told of %(n)d changes") % {"n": active.waiting}
        return _check(False, detail, _("If the number does not fall, run: knowledgetree worker"))
    if abs(active.drift) > _MOST_DRIFT:
        detail = _("chunks have become longer or shorter by %(percent)d %% since Qdrant was filled") % {
            "percent": round(100 * abs(active.drift))
        }
        return _check(None, detail, _("Searches are right but slower. Run: knowledgetree engine rebuild --switch"))
    return _check(True, _("Qdrant %(version)s is searched") % told)


def _check(well: bool | None, detail: str, remedy: str = "") -> Check:
    return Check(name="search_engine", subject=_("Search engine"), well=well, detail=detail, remedy=remedy)
