"""What the glossary says about words of the question."""

from collections.abc import Sequence

from django.db import connection

from ingestion.models import Collection
from ingestion.text.personal_data.masking import masked
from rag.search.query.phrase_places import PhrasePlace, content_words, phrase_places
from rag.search.query.terms import QueryTerm
from rag.types import Definition

MOST = 5

# Begins at the index glossary_phrases. The name that stands in the question is shown before the entry's own.
_LOOK_UP = """
SELECT typed.phrase, e.id, e.term, named.text, e.definition, e.collection_id
FROM ingestion_glossaryentry e
CROSS JOIN unnest(e.phrases) WITH ORDINALITY AS typed(phrase, position)
JOIN LATERAL unnest(array_prepend(e.term, e.aliases)) WITH ORDINALITY AS named(text, position) USING (position)
WHERE e.phrases && %(phrases)s::varchar[] AND typed.phrase = ANY(%(phrases)s::text[]) AND e.definition ~ '[^[:space:]]'
    AND (e.collection_id IS NULL OR e.collection_id = ANY(%(collections)s::int[]))
ORDER BY e.collection_id NULLS LAST, e.id, position
"""


def definitions_of(terms: Sequence[QueryTerm], collections: Sequence[Collection]) -> tuple[Definition, ...]:
    """At most five, in the order of the question. Of overlapping names the longest is explained. One query.

    Only glossaries of `collections` and that of all are looked into; a collection's own definition stands before one
    for all. Personal data are covered as the collection says.
    """
    places = phrase_places(content_words(terms), terms)
    if not places:
        return ()
    by_id = {collection.words_of: collection for collection in collections}
    with connection.cursor() as cursor:
        cursor.execute(_LOOK_UP, {"phrases": list(places), "collections": list(by_id)})
        rows = cursor.fetchall()
    outermost = _outermost([places[row[0]] for row in rows])
    found: dict[int, tuple[PhrasePlace, Definition]] = {}
    explained: set[tuple[str, str]] = set()
    for phrase, entry, term, name, definition, collection in rows:
        key = term.casefold(), by_id[collection].slug if collection else ""
        known = key in explained or (not key[1] and any(term.casefold() == other for other, _ in explained))
        if places[phrase] in outermost and entry not in found and not known:
            explained.add(key)
            shown = _definition(term, name, definition, by_id.get(collection))
            found[entry] = places[phrase], shown
    return tuple(shown for _, shown in sorted(found.values(), key=lambda one: one[0].start))[:MOST]


def _outermost(places: Sequence[PhrasePlace]) -> list[PhrasePlace]:
    """Those that stand within no longer one."""
    return [place for place in places if not any(place.within(other) for other in places)]


def _definition(term: str, name: str, definition: str, collection: Collection | None) -> Definition:
    """“BIP (Biuletyn Informacji Publicznej)” where the question has another name than the entry's own."""
    shown, meaning = f"{name} ({term})" if name != term else term, " ".join(definition.split())
    if collection and collection.mask_personal_data:
        shown, meaning = masked(shown), masked(meaning)
    return Definition(term=shown, definition=meaning, collection=collection.slug if collection else "")
