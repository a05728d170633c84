"""The organisation's own entities in a text, in any inflection: an entity ruler fed by the glossary."""

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.db import connection
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ingestion.models import GlossaryEntry
from ingestion.text.analyser import analyser
from ingestion.types import Token

_LABEL = "term"
_BREAK = re.compile(r"[.,;:!?…]\s|[()\[\]|]|\n\s*\n")  # what keeps neighbouring words from being one name
# Each row bears the number of the transaction that wrote it, so the sum grows with every committed change, whoever
# makes it; `modified` tells apart two changes within one transaction.
_VERSION = "SELECT count(*), coalesce(sum(xmin::text::bigint), 0), max(modified) FROM ingestion_glossaryentry"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Characters [start, end) name the glossary entry; `label` is the entry's kind, "term" where it has none.

    `term` is the entry's, whichever of its names stands in the text.
    """

    text: str
    term: str
    label: str
    start: int
    end: int
    entry_id: int


class GlossaryRuler:
    """Matches lemmas of the index, so a name is recognised in every form under which search finds it."""

    def __init__(self, entries: Iterable[GlossaryEntry]) -> None:
        self._entries = {entry.pk: entry for entry in entries}
        self._vocabulary = Vocab()  # not that of `polish()`, whose other users would lose words in our memory zones
        self._matcher = PhraseMatcher(self._vocabulary, attr="LEMMA")
        self._using = threading.Lock()  # a vocabulary has one memory zone at a time
        for key, entry in self._entries.items():
            patterns = [self._doc(tokens) for name in entry.names if (tokens := analyser().tokens(name))]
            self._matcher.add(str(key), patterns)

    def __bool__(self) -> bool:
        return bool(self._entries)

    def find(self, text: str, collection_ids: Sequence[int] | None = None) -> list[Entity]:
        """Entities in order; where names overlap the longest stands, then the first, then the oldest entry."""
        found: list[Entity] = []
        for entity in sorted(self._named(text), key=lambda e: (e.start - e.end, e.start, e.entry_id)):
            entry = self._entries[entity.entry_id]
            permitted = collection_ids is None or entry.collection_id is None or entry.collection_id in collection_ids
            if permitted and all(entity.end <= other.start or other.end <= entity.start for other in found):
                found.append(entity)
        return sorted(found, key=lambda entity: entity.start)

    def _named(self, text: str) -> list[Entity]:
        tokens = analyser().tokens(text)
        with self._using, self._vocabulary.memory_zone():  # words of passing texts must not stay for ever
            matches = [
                (int(self._vocabulary.strings[key]), tokens[first:last])
                for key, first, last in self._matcher(self._doc(tokens))
            ]
        return [self._entity(text, key, words) for key, words in matches if _is_one_name(text, words)]

    def _doc(self, tokens: Sequence[Token]) -> Doc:
        """spaCy's tokenizer would part "ZUS-owi" and "middleware'u" otherwise than the index does."""
        forms, lemmas = [token.form for token in tokens], [token.lemma for token in tokens]
        return Doc(self._vocabulary, words=forms, lemmas=lemmas)

    def _entity(self, text: str, key: int, words: Sequence[Token]) -> Entity:
        start, end = words[0].start, words[-1].end
        label = self._entries[key].kind or _LABEL
        term = self._entries[key].term
        return Entity(text=text[start:end], term=term, label=label, start=start, end=end, entry_id=key)


def _is_one_name(text: str, words: Sequence[Token]) -> bool:
    return not any(_BREAK.search(text[left.end : right.start]) for left, right in pairwise(words))


_building = threading.Lock()
_current: tuple[object, GlossaryRuler] | None = None


def glossary_ruler() -> GlossaryRuler:
    """The ruler of the glossary as it stands; built anew after a change by any process. One small query."""
    global _current
    with connection.cursor() as cursor:
        cursor.execute(_VERSION)
        version = cursor.fetchone()
    with _building:
        if _current is None or _current[0] != version:
            _current = (version, GlossaryRuler(GlossaryEntry.objects.order_by("pk")))
        return _current[1]


def find_entities(text: str, *, collection_ids: Sequence[int] | None = None) -> list[Entity]:
    """The glossary entries that `text` names, in order, without overlaps.

    With `collection_ids` only entries of these collections and of all of them: a question must not betray others.
    """
    return glossary_ruler().find(text, collection_ids)
