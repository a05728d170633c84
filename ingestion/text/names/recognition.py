"""Everything that a text names: glossary entries, identifiers, capitalised names, and what a spaCy model finds."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ingestion.text.names.identifiers import find_identifiers
from ingestion.text.names.mention import Named
from ingestion.text.names.name_words import name_key
from ingestion.text.names.names import find_names

if TYPE_CHECKING:  # spaCy is loaded where it is used
    from spacy.language import Language

    from ingestion.text.names.ruler import GlossaryRuler

MAX_KEY = 300


class Recogniser:
    """`model`: a spaCy pipeline with an `ner` component, or None; its names stand before those found by rules."""

    def __init__(self, ruler: "GlossaryRuler | None", model: "Language | None" = None) -> None:
        self._ruler = ruler
        self._model = model

    def find(self, text: str, collection_ids: Sequence[int] | None = None) -> list[Named]:
        """In order; of what overlaps, the entry of the glossary stands, then the identifier, the model's, the rule's.

        With `collection_ids` only the glossary of these collections and that of all.
        """
        found: list[Named] = []
        taken: set[int] = set()
        for named in self._candidates(text, collection_ids):
            if named.key and len(named.key) <= MAX_KEY and taken.isdisjoint(range(named.start, named.end)):
                taken.update(range(named.start, named.end))
                found.append(named)
        return sorted(found, key=lambda named: named.start)

    def _candidates(self, text: str, collection_ids: Sequence[int] | None) -> Iterator[Named]:
        if self._ruler is not None:
            for entity in self._ruler.find(text, collection_ids):
                key = name_key(entity.term)
                yield Named(key=key, name=entity.term, kind=entity.label, start=entity.start, end=entity.end)
        yield from find_identifiers(text)
        if self._model is not None:
            for span in self._model(text).ents:
                key, kind = name_key(span.text), span.label_.lower()[:60]
                yield Named(key=key, name=span.text, kind=kind, start=span.start_char, end=span.end_char)
        yield from find_names(text)
