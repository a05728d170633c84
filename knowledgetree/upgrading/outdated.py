"""What an older release left in the index, and how this one brings it up to date: each thing by its own version."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ingestion.index.writing import refresh_planner_statistics
from ingestion.services.entities import outdated_documents, refresh_entities
from ingestion.services.findings import refresh_findings, unread_documents
from ingestion.services.lemmas import outdated_lemmas, renew_lemmas
from ingestion.services.lexicon.packs import shipped_packs
from ingestion.services.lexicon.upgrade import load_packs, outdated_packs
from ingestion.types import Progress
from knowledgetree.guides import load_guides, outdated_guides


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedThing:
    """`outdated` counts what an older release made, in the unit that `name` says; `renew` makes it anew."""

    name: Promise
    outdated: Callable[[], int]
    renew: Callable[[Progress], object]


def _load_lexicon(progress: Progress) -> None:
    load_packs(shipped_packs())


def _recognise_names(progress: Progress) -> None:
    refresh_entities(progress=progress)
    refresh_planner_statistics()


THINGS = (
    IndexedThing(
        name=_("words under other dictionary forms; a worker indexes all documents again afterwards"),
        outdated=lambda: len(outdated_lemmas()),
        renew=lambda progress: renew_lemmas(progress=progress),
    ),
    IndexedThing(
        name=_("packs of the lexicon of everyday words"),
        outdated=lambda: len(outdated_packs(shipped_packs())),
        renew=_load_lexicon,
    ),
    IndexedThing(
        name=_("guides of the program, which a worker indexes afterwards"),
        outdated=outdated_guides,
        renew=lambda progress: load_guides(),
    ),
    IndexedThing(
        name=_("documents never looked through for near-duplicates and personal data"),
        outdated=lambda: unread_documents().count(),
        renew=lambda progress: refresh_findings(progress=progress),
    ),
    IndexedThing(
        name=_("documents whose names an older release recognised"),
        outdated=lambda: outdated_documents().count(),
        renew=_recognise_names,
    ),
)
"""Vectors of another model and what a search engine lacks are not here: they are computed beside what serves, and
`doctor` says how.
"""
