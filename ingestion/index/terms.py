"""The dictionary of the index: a key for each form and each lemma that stands in a text."""

from collections.abc import Iterable, Mapping

from django.db import connection

from ingestion.text.analyser import Word, analyser
from ingestion.text.diacritics import fold

_LEMMAS = 5000  # written at once
# Thousands of words as one string: written as an array they cost more than the statement. No word has this sign.
_BETWEEN = "\x1f"
_KNOWN = r"SELECT text, id, lemma FROM ingestion_term WHERE text = ANY(string_to_array(%s, E'\x1f'))"
_ENTER = r"""
INSERT INTO ingestion_term (text, folded, lemma)
SELECT word, plain, coalesce(lemma, '') FROM unnest(
    string_to_array(%s, E'\x1f'), string_to_array(%s, E'\x1f'), string_to_array(%s, E'\x1f')
) AS new(word, plain, lemma)
ON CONFLICT (text) DO NOTHING
"""


def enter_terms(words: Iterable[Word]) -> dict[str, int]:
    """Enter the forms and lemmas that are new; the key of each of all of them.

    Call it outside the document's transaction: a word of the dictionary harms nobody if the document then fails, and
    writers that insert in sorted order wait for each other instead of locking crosswise.
    """
    lemma_of = dict(words)
    texts = lemma_of.keys() | set(lemma_of.values())
    known = _known_terms(texts)
    new = sorted(texts - known.keys())
    if new:
        with connection.cursor() as cursor:
            cursor.execute(
                _ENTER,
                [*map(_BETWEEN.join, (new, map(fold, new), (lemma_of.get(word, "") for word in new)))],
            )
        known |= _known_terms(set(new))
    write_lemmas({text: lemma_of[text] for text, (_, lemma) in known.items() if text in lemma_of and not lemma})
    return {text: term for text, (term, _) in known.items()}


def write_lemmas(lemma_of: Mapping[str, str]) -> None:
    """Fills in lemmas that are missing. A row that somebody else writes is left to them: they write the same."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH free AS (SELECT id, text FROM ingestion_term WHERE text = ANY(%s) AND lemma = '' "
            "FOR UPDATE SKIP LOCKED) "
            "UPDATE ingestion_term t SET lemma = given.lemma "
            "FROM free JOIN unnest(%s::text[], %s::text[]) AS given(text, lemma) USING (text) WHERE t.id = free.id",
            [list(lemma_of), list(lemma_of), list(lemma_of.values())],
        )


def rewrite_lemmas(lemma_of: Mapping[str, str]) -> None:
    """Writes the lemmas that forms have since the dictionaries changed."""
    forms = sorted(lemma_of)
    with connection.cursor() as cursor:
        for start in range(0, len(forms), _LEMMAS):
            batch = forms[start : start + _LEMMAS]
            cursor.execute(
                "UPDATE ingestion_term t SET lemma = given.lemma "
                "FROM unnest(%s::text[], %s::text[]) AS given(text, lemma) WHERE t.text = given.text",
                [batch, [lemma_of[form] for form in batch]],
            )


def complete_lemmas() -> int:
    """Give a lemma to every form without one, which a release before 0.1 wrote; how many."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT text FROM ingestion_term t WHERE lemma = '' AND EXISTS "
            "(SELECT FROM ingestion_termstatistics s WHERE s.term_id = t.id AND s.form_chunks > 0)"
        )
        forms = [text for (text,) in cursor.fetchall()]
    for start in range(0, len(forms), _LEMMAS):
        lemma_of = analyser().lemmatiser.lemma
        write_lemmas({form: lemma_of(form) for form in forms[start : start + _LEMMAS]})
    return len(forms)


def _known_terms(words: Iterable[str]) -> dict[str, tuple[int, str]]:
    """(key, lemma) by text."""
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [_BETWEEN.join(words)])
        return {text: (term, lemma) for text, term, lemma in cursor.fetchall()}
