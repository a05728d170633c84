"""An entity ruler fed by the glossary, on spaCy's matcher, which takes a second and a hundred megabytes to import."""

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ingestion.models import GlossaryEntry
from ingestion.text.analyser import analyser
from ingestion.types import Token

_LABEL = "term"
_BREAK = re.compile(r"[.,;:!?…]\s|[()\[\]|]|\n\s*\n")  # what keeps neighbouring words from being one name


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryMention:
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

    def find(self, text: str, collection_ids: Sequence[int] | None = None) -> list[GlossaryMention]:
        """Entities in order; where names overlap the longest stands, then the first, then the oldest entry."""
        found: list[GlossaryMention] = []
        for entity in sorted(self._named(text), key=lambda e: (e.start - e.end, e.start, e.entry_id)):
            entry = self._entries[entity.entry_id]
            permitted = collection_ids is None or entry.collection_id is None or entry.collection_id in collection_ids
            if permitted and all(entity.end <= other.start or other.end <= entity.start for other in found):
                found.append(entity)
        return sorted(found, key=lambda entity: entity.start)

    def _named(self, text: str) -> list[GlossaryMention]:
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

    def _entity(self, text: str, key: int, words: Sequence[Token]) -> GlossaryMention:
        start, end = words[0].start, words[-1].end
        label = self._entries[key].kind or _LABEL
        term = self._entries[key].term
        return GlossaryMention(text=text[start:end], term=term, label=label, start=start, end=end, entry_id=key)


def _is_one_name(text: str, words: Sequence[Token]) -> bool:
    return not any(_BREAK.search(text[left.end : right.start]) for left, right in pairwise(words))
