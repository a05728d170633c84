"""Synonyms and glossary entries: written with the lemmas by which questions find them."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.models import GlossaryEntry, Synonym, SynonymGroup
from ingestion.text.phrases import is_negated, is_set_phrase, phrase_of
from ingestion.types import Progress, no_progress
from knowledgetree.postgres.locks import Lock, hold

_BATCH = 1000
T = TypeVar("T")


@transaction.atomic
def save_group(*, group: SynonymGroup, words: Sequence[str] | None = None) -> SynonymGroup:
    """Keep the group, with `words` in this order in the place of those it has; None leaves them.

    Raises IngestionError for a word that cannot be searched for.
    """
    group.save()
    if words is not None:
        group.synonyms.exclude(text__in=words).delete()
        own = {synonym.text: synonym for synonym in group.synonyms.all()}
        for position, text in enumerate(words):
            synonym = own.get(text) or Synonym(group=group, text=text)
            synonym.position = position
            save_synonym(synonym=synonym)
    return group


def save_synonym(*, synonym: Synonym) -> Synonym:
    """Raises IngestionError for a text that cannot be searched for."""
    synonym.phrase = synonym.found_by = searchable_phrase(synonym.text)
    synonym.save()
    set_leading_word(group=synonym.group)
    return synonym


def set_leading_word(*, group: SynonymGroup) -> None:
    """The first word of an editors' group leads, after any change of its words."""
    words = Synonym.objects.filter(group=group)
    for place, synonym in enumerate(words.order_by("position", "pk")):
        if synonym.leads != (place == 0):
            words.filter(pk=synonym.pk).update(leads=place == 0)


def save_glossary_entry(*, entry: GlossaryEntry) -> GlossaryEntry:
    """Raises IngestionError where the term or an alias cannot be searched for."""
    entry.phrases = [searchable_phrase(name) for name in entry.names]
    entry.save()
    return entry


def searchable_phrase(text: str) -> str:
    """`phrase_of` what an editor wrote. Raises IngestionError for function words alone, and for a negation."""
    phrase = phrase_of(text)
    if not phrase:
        raise IngestionError(_("“%s” has no word that is searched for.") % text)
    if is_negated(text):
        raise IngestionError(_("Search ignores “not” and “without”, so “%s” would find the opposite.") % text)
    return phrase


def replace_thesaurus(
    *, meanings: Sequence[Sequence[str]], weight: float, enabled: bool, progress: Progress = no_progress
) -> int:
    """Put `meanings`, sets of words, in the place of what was imported before. Groups of editors stay.

    Two-way groups for every collection; returns how many have at least two words that a question can contain.
    """
    done = kept = 0
    with transaction.atomic():
        hold(Lock.THESAURUS)
        SynonymGroup.objects.filter(source=SynonymGroup.Source.THESAURUS).delete()
        for batch in _batches(meanings):
            groups = [group for group in map(_searchable_words, batch) if len(set(group.values())) > 1]
            _create_groups(groups, weight=weight, enabled=enabled)
            kept += len(groups)
            done += len(batch)
            progress(done, len(meanings))
    return kept


def _searchable_words(meaning: Sequence[str]) -> dict[str, str]:
    """Phrase by word, for the words that search can tell from others; a thesaurus is full of idioms."""
    words = [word for word in meaning if len(word) <= 200 and not is_negated(word) and not is_set_phrase(word)]
    return {word: phrase for word in words if (phrase := phrase_of(word))}


def _create_groups(groups: Sequence[dict[str, str]], *, weight: float, enabled: bool) -> None:
    rows = SynonymGroup.objects.bulk_create(
        SynonymGroup(name=next(iter(words)), weight=weight, enabled=enabled, source=SynonymGroup.Source.THESAURUS)
        for words in groups
    )
    Synonym.objects.bulk_create(
        Synonym(group=group, text=text, phrase=phrase, found_by=phrase, leads=position == 0, position=position)
        for group, words in zip(rows, groups, strict=True)
        for position, (text, phrase) in enumerate(words.items())
    )


def refresh_phrases(*, progress: Progress = no_progress) -> int:
    """Lemmatise every synonym and glossary entry again, after the analyser changed; how many rows changed.

    The packs of the lexicon are not among them: they are loaded anew.
    """
    own = Synonym.objects.filter(group__pack=None)
    total, done, changed = own.count() + GlossaryEntry.objects.count(), 0, 0
    for synonyms in _batches(own.order_by("pk").iterator(_BATCH)):
        stale = [synonym for synonym in synonyms if synonym.phrase != phrase_of(synonym.text)]
        for synonym in stale:
            synonym.phrase = synonym.found_by = phrase_of(synonym.text)
        Synonym.objects.bulk_update(stale, ["phrase", "found_by"])
        done, changed = done + len(synonyms), changed + len(stale)
        progress(done, total)
    for entry in GlossaryEntry.objects.order_by("pk"):
        phrases = [phrase_of(name) for name in entry.names]
        changed += GlossaryEntry.objects.filter(pk=entry.pk).exclude(phrases=phrases).update(phrases=phrases)
    progress(total, total)
    return changed


def _batches(rows: Iterable[T]) -> Iterable[list[T]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, _BATCH)):
        yield batch
