"""Brings the lexicon in the tables up to the packs that ship with this release."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import transaction

from ingestion.models import LexiconPack, Synonym, SynonymGroup
from ingestion.services.lexicon.packs import Pack, SaidTerm, WordGroup
from ingestion.text.phrases import everyday_key, phrase_of
from knowledgetree.postgres.copying import copy
from knowledgetree.postgres.locks import Lock, hold

WEIGHT = 0.8
"""Of a word of the lexicon in the search by words, against 1 of a typed one; learnt (docs/benchmarks.md)."""

_COLUMNS = ("group_id", "text", "phrase", "found_by", "context", "leads", "position")  # of `_synonyms`


def load_packs(packs: Sequence[Pack], *, anew: bool = False) -> int:
    """Replace the groups of packs that changed since they were loaded, or of all of them `anew`; how many groups came.

    What an administrator switched off stays off: packs, and groups that say the same on their left. Groups of editors
    are no part of it. A pack that ships no more goes with its groups.
    """
    with transaction.atomic():
        hold(Lock.LEXICON)
        LexiconPack.objects.exclude(name__in=[pack.name for pack in packs]).delete()
        return sum(_replace(pack, anew=anew) for pack in packs)


def outdated_packs(packs: Sequence[Pack]) -> set[str]:
    """The names of those that `load_packs` would load or drop."""
    loaded = set(LexiconPack.objects.values_list("name", "digest"))
    return {name for name, _digest in loaded ^ {(pack.name, pack.digest) for pack in packs}}


def _replace(pack: Pack, *, anew: bool) -> int:
    row, _created = LexiconPack.objects.get_or_create(name=pack.name, defaults={"title": pack.title})
    if row.digest == pack.digest and not anew:
        return 0
    off = set(row.groups.filter(enabled=False).values_list("key", flat=True))
    # By the ids of the groups: joined with them, PostgreSQL takes minutes where it has not counted the rows yet. Both
    # past the audit log, as they come: a release is nobody's act, and would leave two thousand entries.
    Synonym.objects.filter(group__in=list(row.groups.values_list("pk", flat=True)))._raw_delete("default")
    row.groups.all()._raw_delete("default")
    groups = SynonymGroup.objects.bulk_create(_group(row, group, off) for group in pack.groups)
    _write(row for saved, group in zip(groups, pack.groups, strict=True) for row in _synonyms(saved.pk, group))
    row.title, row.digest = pack.title, pack.digest
    row.save(update_fields=["title", "digest"])
    return len(groups)


def _write(synonyms: Iterable[tuple[Any, ...]]) -> None:
    """By COPY: there are 88,000."""
    with copy(f"COPY ingestion_synonym ({', '.join(_COLUMNS)}) FROM STDIN") as rows:
        for synonym in synonyms:
            rows.write_row(synonym)


def _group(pack: LexiconPack, group: WordGroup, off: set[str]) -> SynonymGroup:
    two_way = group.two_way
    return SynonymGroup(
        name=group.left[0].text,
        direction=SynonymGroup.Direction.TWO_WAY if two_way else SynonymGroup.Direction.ONE_WAY,
        weight=WEIGHT,
        enabled=group.key not in off,
        source=SynonymGroup.Source.LEXICON,
        pack=pack,
        key=group.key,
    )


def _synonyms(group_id: int, group: WordGroup) -> Iterator[tuple[Any, ...]]:
    """Each text once; those on the right of a one-way group are found by no question."""
    seen: set[str] = set()
    for position, (term, leads) in enumerate([(t, True) for t in group.left] + [(t, False) for t in group.right]):
        if term.text not in seen:
            seen.add(term.text)
            found_by = everyday_key(term.text) if leads or group.two_way else ""
            yield group_id, term.text, phrase_of(term.text), found_by, _context(term), leads, position


def _context(term: SaidTerm) -> list[str]:
    return [phrase for word in term.context if (phrase := phrase_of(word) or word)]
