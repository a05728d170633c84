"""Lifts for how a passage takes up the question: its words above the text, or its wording in it."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from ingestion.text.analyser import Word, analyser
from rag.search.context import SearchContext
from rag.search.query.terms import QueryTerm
from rag.types import Passage

_LEAST_RUN = 3  # words; two neighbours stand together by chance


def keywords(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """Words of the question in the title, headings, category or tags; by their share of the question's idf."""
    above = "\n".join([passage.title, *passage.heading_path, passage.category, *passage.tags])
    lemmas = {lemma for _form, lemma in analyser().words(above)}
    found = [term for term in search.query.terms if _typed_lemmas(term) & lemmas]
    share = search.statistics.idf_of(found) / (search.statistics.idf_of(search.query.terms) or 1.0)
    words = ", ".join(term.typed for term in found)
    return search.preset.boosts.keywords * share, _("Its title, headings or tags name: %(words)s") % {"words": words}


def phrase(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """The longest run of the question's words that stands in the passage as typed; by its share of the question."""
    question = _forms(analyser().words(search.query.text))
    run = _longest_run(question, f" {' '.join(_forms(search.words.analysed([passage])[0]))} ")
    share = len(run) / max(1, len(question))
    return search.preset.boosts.phrase * share, _("It has your words “%(words)s”") % {"words": " ".join(run)}


def _forms(words: Iterable[Word]) -> list[str]:
    return [form for form, _lemma in words]


def _typed_lemmas(term: QueryTerm) -> set[str]:
    return {reading.lemma for reading in term.readings}


def _longest_run(question: Sequence[str], text: str) -> Sequence[str]:
    """The first of the longest runs of at least `_LEAST_RUN` words; empty where there is none."""
    longest: Sequence[str] = ()
    for start in range(len(question)):
        size = max(_LEAST_RUN, len(longest) + 1)
        while start + size <= len(question) and f" {' '.join(question[start : start + size])} " in text:
            longest = question[start : start + size]
            size += 1
    return longest
